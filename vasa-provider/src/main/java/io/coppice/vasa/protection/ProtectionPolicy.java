package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.ProtectionRules;
import java.time.Instant;
import java.util.UUID;

/// A protection policy.
///
/// @param generation 1 for a new one; rises with each change
/// @param author who made it
public record ProtectionPolicy(
    UUID id,
    String name,
    String description,
    ProtectionRules rules,
    long generation,
    String author,
    Instant created) {}
