package io.coppice.vasa.policy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A storage profile that the array offers.
///
/// @param containers where it is offered; empty for everywhere
public record OfferedProfile(
    String id,
    String name,
    String description,
    long generation,
    String author,
    Instant created,
    Requirements requirements,
    Set<UUID> containers) {

  public OfferedProfile {
    containers = Set.copyOf(containers);
  }

  public boolean isOfferedIn(UUID container) {
    return containers.isEmpty() || containers.contains(container);
  }

  /// The same profile in the terms of SPBM, with one sub-profile unless nothing is required.
  public StorageProfile asStorageProfile() {
    List<Capability> capabilities = Capabilities.asCapabilities(requirements);
    return new StorageProfile(
        id,
        name,
        description,
        generation,
        author,
        created,
        capabilities.isEmpty() ? List.of() : List.of(new SubProfile("default", capabilities)));
  }
}
