package io.coppice.api.policy;

import org.jspecify.annotations.Nullable;

/// The limits of a virtual machine.
///
/// @param maxIops I/Os a second of all its vVols together; null for no limit
/// @param maxBandwidth bytes a second; null for no limit
public record VmLimits(@Nullable Long maxIops, @Nullable Long maxBandwidth) {}
