package io.coppice.api.iscsi;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The traffic of one volume since somebody reaches it.
///
/// @param name of the volume; null if it has none
/// @param at when it was counted
public record VolumeTraffic(
    UUID vvol, @Nullable String name, Instant at, TrafficCount read, TrafficCount write) {}
