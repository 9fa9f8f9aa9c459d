/// Persistent maps from a volume's blocks to stored blocks: 4 levels of 512, shared between
/// versions node by node.
///
/// [io.coppice.engine.map.MapEditor] changes a map (committer only),
/// [io.coppice.engine.map.MapReader] looks into one without a lock: inner nodes are published child
/// by child, the entries of a leaf are off-heap under a stamp, and
/// [io.coppice.engine.map.EpochGate] keeps the memory of a leaf from being reused while a reader
/// may hold it. Depends on `format`.
@NullMarked
package io.coppice.engine.map;

import org.jspecify.annotations.NullMarked;
