package io.coppice.vasa.policy;

import java.util.Objects;

/// A capability that is not kept: what the profile asks for and what there is. A time span of 0
/// says that it is switched off, a number of 0 that there is no limit.
public record Violation(Capability expected, Capability current) {

  public Violation {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(current, "current");
  }

  /// One value of one capability.
  public static Violation of(CapabilityId id, CapabilityValue expected, CapabilityValue current) {
    return new Violation(Capability.of(id, expected), Capability.of(id, current));
  }
}
