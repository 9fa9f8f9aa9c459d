package io.coppice.api.scrub;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A finding of damage.
///
/// @param volume the volume or snapshot that sees the damaged block; null for the pool's own
///   structures
/// @param lba first of its 8 logical blocks of 512 bytes; null without a volume
/// @param replaced whether the pool no longer needs the structure
public record DamageFinding(
    @Nullable UUID volume, @Nullable Long lba, boolean replaced, String sentence, Instant found) {}
