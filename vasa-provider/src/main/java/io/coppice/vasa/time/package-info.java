/// The time that this provider has seen pass, by which things are given up when they get old; and
/// work that comes back at intervals.
///
/// A leaf. Begin with [io.coppice.vasa.time.SeenTime], which compares the machine's clock with what
/// passed, and keeps the last time seen in the pool. May depend on the engine's API.
@NullMarked
package io.coppice.vasa.time;

import org.jspecify.annotations.NullMarked;
