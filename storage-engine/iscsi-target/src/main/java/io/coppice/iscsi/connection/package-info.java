/// TCP connections of the iSCSI target, without knowledge of sessions: reading and writing PDUs,
/// the window of command numbers, memory for data, the watch on output, and each portal's
/// connections.
///
/// Begin with [io.coppice.iscsi.connection.Connection], which hands every PDU to its
/// [io.coppice.iscsi.connection.Phase]. Depends on `pdu`, the settings and `scsi.transport`.
@NullMarked
package io.coppice.iscsi.connection;

import org.jspecify.annotations.NullMarked;
