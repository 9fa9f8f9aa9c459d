package io.coppice.api.account;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change of an account; null leaves a field as it is.
public record AccountChange(
    @Nullable String role,
    @Nullable List<UUID> containers,
    @Nullable Boolean enabled,
    @Nullable String password) {

  /// Without the password.
  @Override
  public String toString() {
    return "AccountChange[role=%s, containers=%s, enabled=%s]".formatted(role, containers, enabled);
  }
}
