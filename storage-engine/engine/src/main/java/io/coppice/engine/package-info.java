/// The storage engine's API: interfaces and values only.
///
/// A *pool* holds *volumes*. A volume is byte-addressed, thin, and changed only by records of one
/// log. Everything that a method here reports as done is stable, and after a crash the pool is
/// exactly what the log says. A snapshot is a volume that cannot be written. Snapshot, clone and
/// revert share one map root and cost one change in the log at any size.
///
/// Entry point: [io.coppice.engine.StorageEngine]. It depends on `status`, `range` and `journal`
/// alone.
@NullMarked
package io.coppice.engine;

import org.jspecify.annotations.NullMarked;
