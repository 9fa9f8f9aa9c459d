package io.coppice.vasa.volume.space;

import org.jspecify.annotations.Nullable;

/// The space that all volumes and snapshots promise, in bytes. The recycle bin is left out.
///
/// @param provisioned the sum of their sizes
/// @param mapped bytes that have data, counted in each volume that has them, however often they are
///   stored; null once the pool has stopped
public record PromisedSpace(long provisioned, @Nullable Long mapped) {}
