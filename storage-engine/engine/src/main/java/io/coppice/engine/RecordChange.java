package io.coppice.engine;

import java.util.Objects;

/// One change to the pool's records.
public sealed interface RecordChange {

  String key();

  /// Sets the record, new or not.
  record Put(String key, String value) implements RecordChange {
    public Put {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
    }
  }

  /// Removes the record; absent is fine.
  record Remove(String key) implements RecordChange {
    public Remove {
      Objects.requireNonNull(key, "key");
    }
  }
}
