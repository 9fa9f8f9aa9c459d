package io.coppice.engine.state;

import io.coppice.engine.Journals;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.format.Change;
import java.util.List;
import java.util.Map;

/// The API's limits.
public final class RequestBounds {

  /// Most versions, or volumes, that one source of a change makes.
  private static final int MOST_OF_ONE = 2;

  private RequestBounds() {}

  /// Numbers of volumes and versions are not used again. A change that would take the last ones is
  /// refused before it is in the log. A change that takes none, such as a delete, never is.
  ///
  /// @param next the next number of a volume or version
  static void numbers(Change change, long next) {
    long most =
        switch (change) {
          case Change.Create _, Change.Clone _, Change.Revert _, Change.Stage _ -> MOST_OF_ONE;
          case Change.Adopt _, Change.Draft _, Change.Publish _ -> MOST_OF_ONE;
          case Change.Restore(var _, var volumes) -> (long) MOST_OF_ONE * volumes.size();
          case Change.GroupRevert(var _, var volumes) -> (long) MOST_OF_ONE * volumes.size();
          case Change.Keep _ -> Journals.MOST_TIERS;
          case Change.Snapshot(var _, var specs) -> (long) MOST_OF_ONE * specs.size();
          default -> 0;
        };
    require(
        most == 0 || next <= Integer.MAX_VALUE - most,
        "numbers for up to %d new versions of volumes, of %d that a pool ever has, found %d left",
        most,
        Integer.MAX_VALUE - 1,
        Math.max(0, Integer.MAX_VALUE - next));
  }

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
