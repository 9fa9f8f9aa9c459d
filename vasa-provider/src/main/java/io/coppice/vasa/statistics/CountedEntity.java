package io.coppice.vasa.statistics;

import java.util.Arrays;
import java.util.Optional;

/// Types of entities that have counters: some of `EntityTypeEnum`.
public enum CountedEntity {
  /// The pool with all its volumes.
  STORAGE_ARRAY("StorageArray"),

  /// A plain export.
  STORAGE_LUN("StorageLun"),

  /// A virtual volume.
  VIRTUAL_VOLUME("VirtualVolumeInfo");

  private final String wireName;

  CountedEntity(String wireName) {
    this.wireName = wireName;
  }

  public static Optional<CountedEntity> ofWireName(String name) {
    return Arrays.stream(values()).filter(type -> type.wireName.equals(name)).findFirst();
  }

  public String wireName() {
    return wireName;
  }
}
