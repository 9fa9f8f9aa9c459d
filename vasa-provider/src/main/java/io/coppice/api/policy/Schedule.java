package io.coppice.api.policy;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A schedule of snapshots of one vVol.
///
/// @param last when the last snapshot was taken; null for never
/// @param lastError why the last attempt failed; null if it did not
public record Schedule(
    UUID vvol,
    @Nullable String interval,
    @Nullable String retention,
    boolean enabled,
    boolean retentionEnabled,
    Instant next,
    @Nullable Instant last,
    @Nullable String lastError) {}
