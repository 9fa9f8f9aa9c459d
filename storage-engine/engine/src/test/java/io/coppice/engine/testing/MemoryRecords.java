package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageException;
import io.coppice.engine.state.LockRules;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The records of a [MemoryEngine].
final class MemoryRecords implements PoolRecords {

  private static final long MAX_TOTAL_BYTES = 64L << 20;

  private final Runnable checkOpen;
  private TreeMap<String, String> values = new TreeMap<>();
  private final Set<OperationId> done = new HashSet<>();

  /// @param checkOpen throws if the engine is closed
  MemoryRecords(Runnable checkOpen) {
    this.checkOpen = checkOpen;
  }

  @Override
  public synchronized Optional<String> find(String key) {
    return Optional.ofNullable(values.get(key));
  }

  @Override
  public synchronized NavigableMap<String, String> withPrefix(String prefix) {
    TreeMap<String, String> found = new TreeMap<>();
    for (var entry : values.tailMap(prefix).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        break;
      }
      found.put(entry.getKey(), entry.getValue());
    }
    return found;
  }

  @Override
  public synchronized void apply(OperationId operation, List<RecordChange> changes) {
    checkOpen.run();
    LockRules.requireForeign(changes);
    changes.forEach(MemoryRecords::check);
    if (done.contains(operation)) {
      return;
    }
    TreeMap<String, String> after = new TreeMap<>(values);
    for (RecordChange change : changes) {
      switch (change) {
        case RecordChange.Put put -> after.put(put.key(), put.value());
        case RecordChange.Remove remove -> after.remove(remove.key());
      }
    }
    checkTotal(after);
    values = after;
    done.add(operation);
  }

  private static void checkTotal(TreeMap<String, String> records) {
    long total =
        records.entrySet().stream()
            .mapToLong(record -> utf8(record.getKey()) + utf8(record.getValue()))
            .sum();
    if (total > MAX_TOTAL_BYTES) {
      throw new StorageException.InvalidRequest(
          "expected at most %d bytes of records, got %d".formatted(MAX_TOTAL_BYTES, total));
    }
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void check(RecordChange change) {
    int key = utf8(change.key());
    if (key < 1 || key > MAX_KEY_BYTES) {
      throw new StorageException.InvalidRequest(
          "expected a key of 1 to %d bytes, got %d".formatted(MAX_KEY_BYTES, key));
    }
    if (change instanceof RecordChange.Put put) {
      int value = utf8(put.value());
      if (value > MAX_VALUE_BYTES) {
        throw new StorageException.InvalidRequest(
            "expected a value of at most %d bytes, got %d".formatted(MAX_VALUE_BYTES, value));
      }
    }
  }
}
