/// The execution of commands: primary commands, block commands, reservations, verification, and the
/// reports of a unit on itself.
///
/// Begin with [io.coppice.scsi.command.BlockCommands], one flat switch over the decoded command.
/// [io.coppice.scsi.command.PrimaryCommands] are those of every unit. Depends on the copies, the
/// tasks, the units, `cdb`, `page`, `parameter` and `reservation`.
@NullMarked
package io.coppice.scsi.command;

import org.jspecify.annotations.NullMarked;
