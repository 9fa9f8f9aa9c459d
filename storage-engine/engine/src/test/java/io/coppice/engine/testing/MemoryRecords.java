package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The records of a [MemoryEngine].
final class MemoryRecords implements PoolRecords {

  private final TreeMap<String, String> values = new TreeMap<>();
  private final Set<OperationId> done = new HashSet<>();

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
    changes.forEach(MemoryRecords::check);
    if (!done.add(operation)) {
      return;
    }
    for (RecordChange change : changes) {
      switch (change) {
        case RecordChange.Put put -> values.put(put.key(), put.value());
        case RecordChange.Remove remove -> values.remove(remove.key());
      }
    }
  }

  private static void check(RecordChange change) {
    int key = change.key().getBytes(StandardCharsets.UTF_8).length;
    if (key < 1 || key > MAX_KEY_BYTES) {
      throw new StorageException.InvalidRequest(
          "expected a key of 1 to %d bytes, got %d".formatted(MAX_KEY_BYTES, key));
    }
    if (change instanceof RecordChange.Put put) {
      int value = put.value().getBytes(StandardCharsets.UTF_8).length;
      if (value > MAX_VALUE_BYTES) {
        throw new StorageException.InvalidRequest(
            "expected a value of at most %d bytes, got %d".formatted(MAX_VALUE_BYTES, value));
      }
    }
  }
}
