/// The iSCSI transport (RFC 7143): portals, logins, sessions, and the data transfer of commands.
///
/// It hands finished [io.coppice.scsi.transport.ScsiCommand]s to a
/// [io.coppice.scsi.transport.TargetDevice] and sends the responses; it never sees a volume. Entry
/// point: `IscsiTarget`. Only this package opens sockets.
@NullMarked
package io.coppice.iscsi;

import org.jspecify.annotations.NullMarked;
