/// The writing of checkpoints: what is written when, and in which order. The bytes are those of
/// [io.coppice.engine.format.table]. Begin with [Checkpoints]. Depends on the state of the pool and
/// its superblocks.
@NullMarked
package io.coppice.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
