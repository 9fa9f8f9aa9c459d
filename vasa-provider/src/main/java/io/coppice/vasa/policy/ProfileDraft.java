package io.coppice.vasa.policy;

import java.util.Set;
import java.util.UUID;

/// An administrator's description of a profile.
///
/// @param containers where it is offered; empty for everywhere
public record ProfileDraft(
    String name, String description, Requirements requirements, Set<UUID> containers) {

  public ProfileDraft {
    containers = Set.copyOf(containers);
  }
}
