/// Backups of what the pool does not hold: [io.coppice.app.backup.BackupCommand] and
/// [io.coppice.app.backup.RestoreCommand]. [io.coppice.app.backup.Archive] is their file.
@NullMarked
package io.coppice.app.backup;

import org.jspecify.annotations.NullMarked;
