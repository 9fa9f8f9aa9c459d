/// The SCSI device server (SAM-5, SPC-5, SBC-4) over volumes of the storage engine, put together
/// from the packages below.
///
/// Begin with [io.coppice.scsi.ScsiTarget], which opens the device server of a pool. Each of its
/// two targets is a `TaskRouter`, which brings commands to their units. Above it, the transport
/// (`io.coppice.iscsi`) brings [io.coppice.scsi.transport.ScsiCommand]s and takes
/// [io.coppice.scsi.transport.ScsiResponse]s. Beside it, the control plane decides through
/// [io.coppice.scsi.directory.LunDirectory] who reaches which volume by which LUN. The device
/// server knows nothing of iSCSI and depends on the engine's API only.
@NullMarked
package io.coppice.scsi;

import org.jspecify.annotations.NullMarked;
