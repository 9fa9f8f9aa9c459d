package io.coppice.api.volume;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A snapshot.
///
/// @param vvol the volume it was taken of, which may be gone
/// @param basedOn what it goes on from, the snapshot before it as a rule; null if that is gone
/// @param kind `vasa`, `manual` or `scheduled`
/// @param by who took it: the name of a token or account, `coppice` for a schedule or rule, or
///   `vCenter`; null if nobody knows
/// @param group equal for the snapshots of one cut; null for others than manual ones
/// @param lockedUntil the end of its lock, by the lock time; null if it is not locked
/// @param naa as its logical unit names itself to initiators (VPD page 83h)
public record Snapshot(
    UUID id,
    String naa,
    @Nullable String name,
    @Nullable UUID vvol,
    @Nullable UUID basedOn,
    @Nullable String vm,
    UUID container,
    String kind,
    @Nullable String by,
    @Nullable String group,
    long size,
    long mapped,
    long unique,
    Instant created,
    Map<String, String> labels,
    boolean bound,
    boolean exported,
    @Nullable Instant lockedUntil) {}
