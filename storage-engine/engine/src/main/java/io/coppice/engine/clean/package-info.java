/// The cleaner: it takes living blocks out of zones that are mostly dead. Begin with [Cleaner].
/// Depends on the state of the pool and the log.
@NullMarked
package io.coppice.engine.clean;

import org.jspecify.annotations.NullMarked;
