/// The writing of checkpoints, and the reading of their tables. Begin with [Checkpoints]. Depends
/// on the state of the pool and its superblocks.
@NullMarked
package io.coppice.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
