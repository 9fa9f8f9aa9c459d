/// The recovery of a pool: the tables of the last checkpoint, then the replay of the log. Begin
/// with [Recovery]. Depends on the state of the pool.
@NullMarked
package io.coppice.engine.recovery;

import org.jspecify.annotations.NullMarked;
