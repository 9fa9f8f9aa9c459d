/// Copies that hosts leave to the target: EXTENDED COPY, and copies by ROD token.
///
/// Begin with [io.coppice.scsi.copy.CopyCommands]; [io.coppice.scsi.copy.RodTokens] keeps the data
/// of tokens. Depends on the tasks and the units.
@NullMarked
package io.coppice.scsi.copy;

import org.jspecify.annotations.NullMarked;
