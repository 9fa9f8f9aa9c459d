/// The state of an open pool: volumes, records, operations, space, and the changes that live work
/// and replay both apply; also the order of I/O to ranges of a volume. Begin with [PoolState].
/// Depends on the maps, families, segments, the log and the format.
@NullMarked
package io.coppice.engine.state;

import org.jspecify.annotations.NullMarked;
