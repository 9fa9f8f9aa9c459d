package io.coppice.engine.state;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeSpec;
import java.util.List;
import java.util.Map;

/// The API's limits.
public final class RequestBounds {

  private RequestBounds() {}

  /// @throws StorageException.InvalidRequest if an attribute, or all of them, are too long
  public static void attributes(Map<String, String> attributes) {
    long total = 0;
    for (Map.Entry<String, String> entry : attributes.entrySet()) {
      int name = RecordTable.utf8(entry.getKey());
      int value = RecordTable.utf8(entry.getValue());
      require(
          name >= 1 && name <= StorageEngine.MAX_ATTRIBUTE_NAME_BYTES,
          "an attribute name of 1 to %d bytes, got %d",
          StorageEngine.MAX_ATTRIBUTE_NAME_BYTES,
          name);
      require(
          value <= StorageEngine.MAX_ATTRIBUTE_VALUE_BYTES,
          "an attribute value of at most %d bytes, got %d",
          StorageEngine.MAX_ATTRIBUTE_VALUE_BYTES,
          value);
      total += name + value;
    }
    require(
        total <= StorageEngine.MAX_ATTRIBUTES_BYTES,
        "at most %d bytes of attributes, got %d",
        StorageEngine.MAX_ATTRIBUTES_BYTES,
        total);
  }

  /// @throws StorageException.InvalidRequest if no volume may have that size
  public static void size(long size) {
    require(
        size >= VolumeSpec.MIN_SIZE_IN_BYTES
            && size <= VolumeSpec.MAX_SIZE_IN_BYTES
            && size % 512 == 0,
        "a size of 4 KiB to 64 TiB that is a multiple of 512, got %d",
        size);
  }

  /// @throws StorageException.InvalidRequest if a key or value is too long
  public static void records(List<RecordChange> changes) {
    for (RecordChange change : changes) {
      int key = RecordTable.utf8(change.key());
      require(
          key >= 1 && key <= PoolRecords.MAX_KEY_BYTES,
          "a record key of 1 to %d bytes, got %d",
          PoolRecords.MAX_KEY_BYTES,
          key);
      if (change instanceof RecordChange.Put put) {
        int value = RecordTable.utf8(put.value());
        require(
            value <= PoolRecords.MAX_VALUE_BYTES,
            "a record value of at most %d bytes, got %d",
            PoolRecords.MAX_VALUE_BYTES,
            value);
      }
    }
  }

  private static void require(boolean fulfilled, String expectation, Object... values) {
    if (!fulfilled) {
      throw new StorageException.InvalidRequest("Expected " + expectation.formatted(values) + ".");
    }
  }
}
