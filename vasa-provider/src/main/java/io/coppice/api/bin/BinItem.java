package io.coppice.api.bin;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot in the recycle bin.
///
/// Sizes in bytes.
///
/// @param kind `volume`, `vvol`, `snapshot` or `safety-copy`
/// @param vvol the volume that a snapshot or safety copy was taken of, which may be gone
/// @param alone what the pool stores for it alone, and sets aside
/// @param deleted when it came here
/// @param until when it is deleted for good
/// @param by who deleted it, or reverted its volume
public record BinItem(
    UUID id,
    @Nullable String name,
    String kind,
    @Nullable UUID vvol,
    @Nullable String vm,
    UUID container,
    String type,
    long size,
    long alone,
    Instant created,
    Instant deleted,
    Instant until,
    String by) {}
