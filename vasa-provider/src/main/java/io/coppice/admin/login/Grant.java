package io.coppice.admin.login;

import io.coppice.api.Role;
import java.util.List;
import java.util.UUID;

/// The rights of somebody.
///
/// @param containers that he is bound to: 1 to 64 with a role that is bound, else none
public record Grant(Role role, List<UUID> containers) {

  /// @throws IllegalArgumentException if the containers do not fit the role
  public Grant {
    containers = List.copyOf(containers);
    if (!role.isBound() && !containers.isEmpty()) {
      throw new IllegalArgumentException(
          "expected no containers with the role %s, got %d"
              .formatted(role.text(), containers.size()));
    }
  }
}
