package io.coppice.engine.state;

import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// The pool's small texts, in memory. Changed by the committer.
public final class RecordTable {

  static final long MAX_TOTAL_BYTES = 64L << 20;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final TreeMap<String, String> records = new TreeMap<>(); // guarded by lock
  private long bytes; // committer only

  public Optional<String> find(String key) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(records.get(key));
    } finally {
      lock.readLock().unlock();
    }
  }

  public NavigableMap<String, String> withPrefix(String prefix) {
    NavigableMap<String, String> found = new TreeMap<>();
    lock.readLock().lock();
    try {
      for (Map.Entry<String, String> entry : records.tailMap(prefix, true).entrySet()) {
        if (!entry.getKey().startsWith(prefix)) {
          break;
        }
        found.put(entry.getKey(), entry.getValue());
      }
    } finally {
      lock.readLock().unlock();
    }
    return found;
  }

  /// @throws StorageException.InvalidRequest if all records together would be too much
  void check(List<RecordChange> changes) {
    Map<String, @Nullable String> after = new HashMap<>();
    long total = bytes;
    for (RecordChange change : changes) {
      String key = change.key();
      String before = after.containsKey(key) ? after.get(key) : records.get(key);
      total -= sizeOf(key, before);
      String value = change instanceof RecordChange.Put put ? put.value() : null;
      total += sizeOf(key, value);
      after.put(key, value);
    }
    if (total > MAX_TOTAL_BYTES) {
      throw new StorageException.InvalidRequest(
          "Expected at most %d bytes of records, got %d.".formatted(MAX_TOTAL_BYTES, total));
    }
  }

  public void apply(List<RecordChange> changes) {
    lock.writeLock().lock();
    try {
      for (RecordChange change : changes) {
        switch (change) {
          case RecordChange.Put(var key, var value) ->
              replaced(key, records.put(key, value), value);
          case RecordChange.Remove(var key) -> replaced(key, records.remove(key), null);
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void replaced(String key, @Nullable String old, @Nullable String now) {
    bytes += sizeOf(key, now) - sizeOf(key, old);
  }

  /// Bytes of a record, even with an empty value; 0 if there is none.
  private static long sizeOf(String key, @Nullable String value) {
    return value == null ? 0 : (long) utf8(key) + utf8(value);
  }

  static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /// All records, for a checkpoint.
  public List<Map.Entry<String, String>> all() {
    List<Map.Entry<String, String>> all = new ArrayList<>(records.size());
    records.forEach((key, value) -> all.add(Map.entry(key, value)));
    return all;
  }
}
