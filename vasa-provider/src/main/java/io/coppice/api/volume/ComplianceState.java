package io.coppice.api.volume;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The compliance of a volume with its policy.
///
/// @param reason why it is not compliant, in one sentence; null if it is
public record ComplianceState(
    String status, Instant checked, List<Breach> violations, @Nullable String reason) {}
