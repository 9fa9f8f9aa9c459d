package io.coppice.replication;

import java.util.Objects;
import java.util.UUID;

/// A pool as its peers know it.
///
/// @param id its lasting identity
/// @param name for people, at most [Cycle#MAX_NAME] characters
public record PoolName(UUID id, String name) {

  /// @throws IllegalArgumentException if the name is too long
  public PoolName {
    Objects.requireNonNull(id, "id");
    if (name.length() > Cycle.MAX_NAME) {
      throw new IllegalArgumentException(
          "expected a name of at most %d characters, got %d"
              .formatted(Cycle.MAX_NAME, name.length()));
    }
  }

  @Override
  public String toString() {
    return "%s (%s)".formatted(name, id);
  }
}
