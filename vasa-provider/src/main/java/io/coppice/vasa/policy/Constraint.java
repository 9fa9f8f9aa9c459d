package io.coppice.vasa.policy;

import java.util.Map;

/// Values that a capability's properties must have together.
public record Constraint(Map<String, CapabilityValue> properties) {

  public Constraint {
    properties = Map.copyOf(properties);
  }
}
