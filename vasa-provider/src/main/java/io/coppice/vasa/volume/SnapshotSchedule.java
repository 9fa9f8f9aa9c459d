package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The schedule of the array's snapshots of a virtual volume, due at the times of a [SnapshotGrid].
///
/// | Component | Meaning |
/// |---|---|
/// | `interval` | how often one is taken |
/// | `retention` | how long it is kept; null for good |
/// | `enabled` | whether they are taken |
/// | `retentionEnabled` | whether they are deleted when their time is over |
/// | `since` | when the interval was set |
/// | `next` | when the next one is due |
/// | `last` | when the last one was taken; null for never |
/// | `lastError` | why the last attempt failed; null if it did not |
public record SnapshotSchedule(
    VolumeId volume,
    Duration interval,
    @Nullable Duration retention,
    boolean enabled,
    boolean retentionEnabled,
    Instant since,
    Instant next,
    @Nullable Instant last,
    @Nullable String lastError) {}
