package io.coppice.engine;

import java.util.Objects;

/// One change to the pool's records.
public sealed interface RecordChange {

  String key();

  /// A change that sets the record, new or not.
  record Put(String key, String value) implements RecordChange {
    public Put {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
    }
  }

  /// A change that removes the record; it may be absent.
  record Remove(String key) implements RecordChange {
    public Remove {
      Objects.requireNonNull(key, "key");
    }
  }
}
