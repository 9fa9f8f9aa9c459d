/// Copies that hosts leave to the target: EXTENDED COPY, and copies by ROD token.
///
/// Begin with [io.coppice.scsi.copy.CopyCommands]. [io.coppice.scsi.copy.RodTokens] keeps the data
/// of tokens. Depends on the tasks, the units, the directory, the limits' timer, the settings,
/// `page` and `parameter`.
@NullMarked
package io.coppice.scsi.copy;

import org.jspecify.annotations.NullMarked;
