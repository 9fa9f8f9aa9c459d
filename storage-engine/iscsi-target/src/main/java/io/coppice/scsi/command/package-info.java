/// The commands of logical units, executed: block commands, primary commands, reservations.
///
/// Begin with [io.coppice.scsi.command.BlockCommands]: one flat switch over the decoded command.
/// Depends on the copies, the tasks and the units.
@NullMarked
package io.coppice.scsi.command;

import org.jspecify.annotations.NullMarked;
