package io.coppice.vasa.container;

import java.time.Instant;
import java.util.UUID;

/// A storage container (VASA 2.0 StorageContainer).
///
/// @param quotaInBytes what its volumes together may occupy, at least 1 MiB
public record StorageContainer(UUID id, String name, long quotaInBytes, Instant created) {

  /// Its name and id, as sentences have them.
  public String text() {
    return "%s (%s)".formatted(name, id);
  }
}
