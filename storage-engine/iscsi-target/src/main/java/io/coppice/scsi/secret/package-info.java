/// Secrets of initiators, as they stand in the pool's records: nobody who has the pool alone can
/// read them.
///
/// Entry points: [io.coppice.scsi.secret.SecretBox], [io.coppice.scsi.secret.SecretRecords].
/// Depends on the engine's records only.
@NullMarked
package io.coppice.scsi.secret;

import org.jspecify.annotations.NullMarked;
