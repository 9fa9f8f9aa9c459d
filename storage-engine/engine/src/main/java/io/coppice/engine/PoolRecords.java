package io.coppice.engine;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/// The small texts that the pool keeps for its users beside the volumes: protocol endpoints,
/// bindings, exports, initiators, reservations, opaque to the engine. All are held in memory.
///
/// Keys are 1 to 512 bytes of UTF-8, values at most 16 KiB, all records together at most 64 MiB.
public interface PoolRecords {

  /// Longest key, in bytes of UTF-8.
  int MAX_KEY_BYTES = 512;

  /// Longest value, in bytes of UTF-8.
  int MAX_VALUE_BYTES = 16 << 10;

  Optional<String> find(String key);

  /// All records whose key starts with `prefix`, in key order, as of one moment.
  NavigableMap<String, String> withPrefix(String prefix);

  /// Applies all changes as one change in the log: all or none, stable on return. Repeating
  /// `operation` changes nothing.
  ///
  /// @throws StorageException.InvalidRequest if a key or value is over its limit, or a key is
  ///   [SnapshotLocks#RECORD]
  void apply(OperationId operation, List<RecordChange> changes);
}
