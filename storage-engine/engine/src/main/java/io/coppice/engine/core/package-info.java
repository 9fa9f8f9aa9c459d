/// The assembly of the engine: opening, the directory of pools, and the committer's work between
/// batches.
///
/// Entry points: [io.coppice.engine.core.RedirectOnWriteEngine] over a device,
/// [io.coppice.engine.core.PoolDirectory] over a directory. Begin with
/// [io.coppice.engine.core.Opening], which makes the parts in their order. Threads: the committer
/// changes all state; reader threads read the device; one thread at a time writes a checkpoint;
/// callers wait or are called back. May depend on every other package of the engine, and none
/// depends on it.
@NullMarked
package io.coppice.engine.core;

import org.jspecify.annotations.NullMarked;
