package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import java.time.Instant;
import java.util.UUID;

/// A protection policy. It has a rule, or a continuous rule with tiers, or both.
///
/// @param continuous the tiers of the journals of its volumes
/// @param watch what is done when a volume of a group is suspected
/// @param generation 1 for a new one; rises with each change
/// @param author who made it
public record ProtectionPolicy(
    UUID id,
    String name,
    String description,
    ProtectionRules rules,
    ContinuousRule continuous,
    WatchRule watch,
    long generation,
    String author,
    Instant created) {}
