/// Backups of what the pool does not hold: [io.coppice.app.tool.backup.BackupCommand] and
/// [io.coppice.app.tool.backup.RestoreCommand]. [io.coppice.app.tool.backup.Archive] is their file.
@NullMarked
package io.coppice.app.tool.backup;

import org.jspecify.annotations.NullMarked;
