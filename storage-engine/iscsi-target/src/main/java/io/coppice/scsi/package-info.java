/// The SCSI device server (SAM-5, SPC-5, SBC-4) over volumes of the storage engine.
///
/// Above it the transport (`io.coppice.iscsi`) brings [io.coppice.scsi.transport.ScsiCommand]s and
/// takes [io.coppice.scsi.transport.ScsiResponse]s; beside it the control plane decides through
/// [io.coppice.scsi.directory.LunDirectory] who reaches which volume by which LUN. This package
/// knows nothing of iSCSI and depends on the engine's API only.
@NullMarked
package io.coppice.scsi;

import org.jspecify.annotations.NullMarked;
