/// Secrets of initiators, sealed in the pool's records: whoever has the pool alone cannot read
/// them.
///
/// Begin with [io.coppice.scsi.secret.SecretBox], which seals them, and
/// [io.coppice.scsi.secret.SecretRecords], which keeps them.
/// [io.coppice.scsi.secret.InitiatorSecrets] is the transport's view. Depends on the engine's
/// records only.
@NullMarked
package io.coppice.scsi.secret;

import org.jspecify.annotations.NullMarked;
