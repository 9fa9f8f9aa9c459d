/// The changes of volumes and the questions about them that callers wait for: creation, snapshots,
/// deletion, copies of differences. Begin with [ChangeCommand]. Depends on the I/O of volumes.
@NullMarked
package io.coppice.engine.change;

import org.jspecify.annotations.NullMarked;
