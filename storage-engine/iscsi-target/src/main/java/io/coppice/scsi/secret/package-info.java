/// Secrets of initiators, sealed in the pool's records: whoever has the pool alone cannot read
/// them.
///
/// Entry points: [io.coppice.scsi.secret.SecretBox], [io.coppice.scsi.secret.SecretRecords].
/// [io.coppice.scsi.secret.InitiatorSecrets] is the transport's view. Depends on the engine's
/// records only.
@NullMarked
package io.coppice.scsi.secret;

import org.jspecify.annotations.NullMarked;
