package io.coppice.vasa.volume.space;

import org.jspecify.annotations.Nullable;

/// The bytes that the pool holds for some volumes.
///
/// @param bytes stored for them, shared or not, and set aside; null once the pool has stopped
public record StoredBytes(@Nullable Long bytes) {}
