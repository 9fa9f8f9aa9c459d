package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.VasaException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The check of the storage containers that come with a role.
@Component
public final class RoleBounds {

  /// Most storage containers that a token or an account is bound to.
  static final int MAX_CONTAINERS = 64;

  private final Containers containers;

  RoleBounds(Containers containers) {
    this.containers = containers;
  }

  /// The containers that a role is bound to; none for a role that is bound to none.
  ///
  /// @param wanted 1 to [#MAX_CONTAINERS] known ones for a role that is bound, else null
  /// @throws RequestRejectedException if they do not fit the role
  /// @throws VasaException (NotFound) if a container is unknown
  public List<StorageContainer> of(Role role, @Nullable List<UUID> wanted) {
    if (role.isBound() != (wanted != null)) {
      throw RequestRejectedException.field(
          "containers",
          role.isBound()
              ? "expected the ids of 1 to %d storage containers with the role %s, got none"
                  .formatted(MAX_CONTAINERS, role.text())
              : "expected no containers with the role %s, which is bound to none, got some"
                  .formatted(role.text()));
    }
    if (wanted == null) {
      return List.of();
    }
    if (wanted.isEmpty() || wanted.size() > MAX_CONTAINERS) {
      throw RequestRejectedException.field(
          "containers",
          "expected 1 to %d storage containers, got %d".formatted(MAX_CONTAINERS, wanted.size()));
    }
    if (wanted.stream().anyMatch(Objects::isNull) || Set.copyOf(wanted).size() < wanted.size()) {
      throw RequestRejectedException.field(
          "containers", "expected ids of storage containers, each once, got %s".formatted(wanted));
    }
    return RequestRejectedException.about("containers", () -> containers.require(wanted));
  }
}
