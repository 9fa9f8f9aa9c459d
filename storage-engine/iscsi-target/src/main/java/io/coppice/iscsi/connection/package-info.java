/// TCP connections of the iSCSI target, without knowledge of sessions: reading and writing PDUs,
/// the window of command numbers, memory for data, and the portals that accept connections.
///
/// Begin with [io.coppice.iscsi.connection.Connection], which hands every PDU to its
/// [io.coppice.iscsi.connection.Phase]. Depends on `pdu` and the settings.
@NullMarked
package io.coppice.iscsi.connection;

import org.jspecify.annotations.NullMarked;
