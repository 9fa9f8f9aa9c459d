package io.coppice.api.account;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An account as a client asks for it.
public record NewAccount(
    @Nullable String name,
    @Nullable String role,
    @Nullable List<UUID> containers,
    @Nullable String password) {

  /// Without the password.
  @Override
  public String toString() {
    return "NewAccount[name=%s, role=%s, containers=%s]".formatted(name, role, containers);
  }
}
