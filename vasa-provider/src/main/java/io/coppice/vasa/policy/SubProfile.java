package io.coppice.vasa.policy;

import java.util.List;

/// One way to satisfy a storage profile: all of its capabilities must hold.
public record SubProfile(String name, List<Capability> capabilities) {

  public SubProfile {
    capabilities = List.copyOf(capabilities);
  }
}
