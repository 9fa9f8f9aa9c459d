package io.coppice.api.account;

import org.jspecify.annotations.Nullable;

/// A change of one's own password.
public record PasswordChange(@Nullable String currentPassword, @Nullable String password) {

  /// Without the passwords.
  @Override
  public String toString() {
    return "PasswordChange";
  }
}
