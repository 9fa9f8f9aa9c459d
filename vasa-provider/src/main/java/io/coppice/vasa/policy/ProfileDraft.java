package io.coppice.vasa.policy;

import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// An administrator's description of a profile.
///
/// @param containers where it is offered; empty for everywhere
public record ProfileDraft(
    String name, String description, Requirements requirements, Set<UUID> containers) {

  public ProfileDraft {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(requirements, "requirements");
    containers = Set.copyOf(containers);
  }
}
