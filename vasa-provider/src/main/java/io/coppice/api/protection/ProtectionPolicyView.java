package io.coppice.api.protection;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A protection policy.
public record ProtectionPolicyView(
    UUID id,
    String name,
    String description,
    long generation,
    List<PointRule> rules,
    PolicyWatch watch,
    String author,
    Instant created) {}
