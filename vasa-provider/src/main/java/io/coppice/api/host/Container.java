package io.coppice.api.host;

import io.coppice.api.Warning;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A storage container.
///
/// Sizes in bytes.
///
/// @param free what may still be stored; the space of the recycle bin counts as free
/// @param reclaimable what its part of the recycle bin gives back
/// @param binTime how long what is deleted stays in the recycle bin, ISO 8601; `PT0S` for not at
///   all
/// @param binTimeNext a lower one that two accounts agreed on; null for none
/// @param binTimeNextAt from when on it counts
/// @param warning the first sentence of the warnings; null if there are none
/// @param warnings where more is promised than the pool has; empty otherwise
/// @param registrations the registrations that it is offered to; null for all
public record Container(
    UUID id,
    String name,
    long quota,
    Instant created,
    long vms,
    long vvols,
    long provisioned,
    long used,
    long free,
    long reclaimable,
    String binTime,
    @Nullable String binTimeNext,
    @Nullable Instant binTimeNextAt,
    @Nullable String warning,
    List<Warning> warnings,
    @Nullable List<UUID> registrations) {}
