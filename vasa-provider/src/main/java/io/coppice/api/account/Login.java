package io.coppice.api.account;

import org.jspecify.annotations.Nullable;

/// A login by name and password.
///
/// @param source `local` or another one that is set up; null: each in turn
public record Login(@Nullable String name, @Nullable String password, @Nullable String source) {

  /// Without the password.
  @Override
  public String toString() {
    return "Login[name=%s, source=%s]".formatted(name, source);
  }
}
