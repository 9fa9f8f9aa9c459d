package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.ProtectionRules;
import java.time.Instant;
import java.util.UUID;

/// A protection policy.
///
/// @param watch what is done when a volume of a group is suspected
/// @param generation 1 for a new one; rises with each change
/// @param author who made it
public record ProtectionPolicy(
    UUID id,
    String name,
    String description,
    ProtectionRules rules,
    WatchRule watch,
    long generation,
    String author,
    Instant created) {}
