package io.coppice.vasa.protection.rule;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/// A recovery point of a protected group, as rules judge it.
///
/// @param taken when, by the time that has passed
/// @param rules names of the rules that wanted it; empty for a point that a person wanted, which
///   rules leave alone
public record RecoveryPoint(UUID id, Instant taken, Set<String> rules) {
  public RecoveryPoint {
    rules = Set.copyOf(rules);
  }
}
