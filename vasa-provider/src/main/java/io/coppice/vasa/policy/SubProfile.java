package io.coppice.vasa.policy;

import java.util.List;
import java.util.Objects;

/// One way to satisfy a storage profile: all of its capabilities must hold.
public record SubProfile(String name, List<Capability> capabilities) {

  public SubProfile {
    Objects.requireNonNull(name, "name");
    capabilities = List.copyOf(capabilities);
  }
}
