package io.coppice.vasa.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A choice of orphans.
///
/// @param container only what is in it; null for any
/// @param name only what has this name; null for any
public record OrphanChoice(@Nullable UUID container, @Nullable String name) {}
