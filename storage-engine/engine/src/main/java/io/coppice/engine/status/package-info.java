/// The status of a pool, as values: its space, its state, its mirror and its counters. Begin with
/// [PoolStatus]. Depends on nothing.
@NullMarked
package io.coppice.engine.status;

import org.jspecify.annotations.NullMarked;
