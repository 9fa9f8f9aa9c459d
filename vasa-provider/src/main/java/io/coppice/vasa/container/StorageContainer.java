package io.coppice.vasa.container;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A storage container (VASA 2.0 StorageContainer).
///
/// @param quotaInBytes what its volumes together may occupy, at least 1 MiB
/// @param binTime how long what is deleted from it stays in the recycle bin, zero for not at all;
///   null: as the setting says
/// @param lowerBinTime one that counts later; null for none
public record StorageContainer(
    UUID id,
    String name,
    long quotaInBytes,
    Instant created,
    @Nullable Duration binTime,
    @Nullable LowerBinTime lowerBinTime) {

  /// A container whose time in the recycle bin stays as it is.
  public StorageContainer(
      UUID id, String name, long quotaInBytes, Instant created, @Nullable Duration binTime) {
    this(id, name, quotaInBytes, created, binTime, null);
  }

  /// A container for which the setting says how long.
  public StorageContainer(UUID id, String name, long quotaInBytes, Instant created) {
    this(id, name, quotaInBytes, created, null);
  }

  /// Its name and id, as sentences have them.
  public String text() {
    return "%s (%s)".formatted(name, id);
  }
}
