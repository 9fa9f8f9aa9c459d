/// SCSI commands of one iSCSI session: Data-Out, Data-In, and the answer.
///
/// Begin with [io.coppice.iscsi.command.ScsiCommands], which hands each command to the device.
/// Depends on the connections, the parameters of `login`, `pdu`, the settings and `scsi.transport`.
@NullMarked
package io.coppice.iscsi.command;

import org.jspecify.annotations.NullMarked;
