/// The meeting point of a transport, such as iSCSI, and the SCSI device server: ports, nexuses,
/// commands and their answers (SAM-5).
///
/// Begin with [io.coppice.scsi.transport.TargetDevice], which a transport calls, and
/// [io.coppice.scsi.transport.ScsiCommand], which it hands over. Depends on `page` alone, for the
/// designator of a port.
@NullMarked
package io.coppice.scsi.transport;

import org.jspecify.annotations.NullMarked;
