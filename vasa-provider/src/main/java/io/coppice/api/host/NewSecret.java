package io.coppice.api.host;

import org.jspecify.annotations.Nullable;

/// The CHAP secrets of an initiator.
///
/// @param secret proves the initiator
/// @param mutualSecret proves the target if the initiator asks; null: the target cannot prove
///   itself
public record NewSecret(@Nullable String secret, @Nullable String mutualSecret) {

  /// A text without the secrets.
  @Override
  public String toString() {
    return "NewSecret[]";
  }
}
