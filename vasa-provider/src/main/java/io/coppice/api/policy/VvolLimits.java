package io.coppice.api.policy;

import org.jspecify.annotations.Nullable;

/// The limits of a vVol.
///
/// @param maxIops I/Os a second; null for no limit
/// @param maxBandwidth bytes a second; null for no limit
/// @param weight share of the virtual machine's limit, 1 to 1000; null for 100
public record VvolLimits(
    @Nullable Long maxIops, @Nullable Long maxBandwidth, @Nullable Integer weight) {}
