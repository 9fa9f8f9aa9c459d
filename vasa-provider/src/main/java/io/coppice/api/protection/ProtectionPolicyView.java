package io.coppice.api.protection;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A protection policy.
///
/// @param continuous the tiers of continuous points
public record ProtectionPolicyView(
    UUID id,
    String name,
    String description,
    long generation,
    List<PointRule> rules,
    List<ContinuousTier> continuous,
    PolicyWatch watch,
    String author,
    Instant created) {}
