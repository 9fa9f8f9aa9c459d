package io.coppice.api.volume;

import java.time.Instant;
import java.util.List;

/// The compliance of a volume with its policy.
public record ComplianceState(String status, Instant checked, List<Breach> violations) {}
