package io.coppice.api.iscsi;

import java.time.Instant;

/// The traffic of all volumes since the provider's start.
///
/// @param at when it was counted
public record TrafficTotal(Instant at, TrafficCount read, TrafficCount write) {}
