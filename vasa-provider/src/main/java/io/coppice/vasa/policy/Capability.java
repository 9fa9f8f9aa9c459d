package io.coppice.vasa.policy;

import java.util.List;
import java.util.Map;

/// A capability asked for: one of its constraints must hold.
public record Capability(CapabilityId id, List<Constraint> constraints) {

  public Capability {
    constraints = List.copyOf(constraints);
  }

  /// A capability whose one property has the capability's own name.
  static Capability of(CapabilityId id, CapabilityValue value) {
    return new Capability(id, List.of(new Constraint(Map.of(id.id(), value))));
  }
}
