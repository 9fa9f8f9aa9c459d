/// The iSCSI target node (RFC 7143): its portals, its event loops, and their start and end.
///
/// Begin with [io.coppice.iscsi.IscsiTarget]. The packages below it hold the connections, the
/// login, the sessions, the commands and the wire format. Together they hand finished
/// [io.coppice.scsi.transport.ScsiCommand]s to a [io.coppice.scsi.transport.TargetDevice] and send
/// the responses. They never see a volume. Only this package opens sockets.
@NullMarked
package io.coppice.iscsi;

import org.jspecify.annotations.NullMarked;
