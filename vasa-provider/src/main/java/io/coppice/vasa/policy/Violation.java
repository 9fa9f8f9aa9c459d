package io.coppice.vasa.policy;

/// A capability that is not kept, as the profile asks for it and as it is. A time span of 0 means
/// that it is switched off, a number of 0 that there is no limit.
///
/// @param reason why, as the part of a sentence; empty if the two values say it all
public record Violation(Capability expected, Capability current, String reason) {

  /// One value of one capability.
  public static Violation of(CapabilityId id, CapabilityValue expected, CapabilityValue current) {
    return new Violation(Capability.of(id, expected), Capability.of(id, current), "");
  }

  /// The same, with a reason.
  public Violation because(String why) {
    return new Violation(expected, current, why);
  }
}
