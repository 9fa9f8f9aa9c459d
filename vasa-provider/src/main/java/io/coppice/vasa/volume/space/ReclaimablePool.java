package io.coppice.vasa.volume.space;

import io.coppice.engine.status.PoolSpace;

/// The space of the pool, in bytes.
///
/// @param space what is in the recycle bin counts as free
/// @param reclaimable the part of the free space that what is in the recycle bin takes
public record ReclaimablePool(PoolSpace space, long reclaimable) {}
