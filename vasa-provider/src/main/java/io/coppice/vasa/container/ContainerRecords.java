package io.coppice.vasa.container;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The pool's records of the storage containers, kept for the case that their rows are lost.
/// `control/container/<id>` is `<quota in bytes> <time of creation, ISO 8601> <name>`;
/// `control/container-bin/<id>` is how long what is deleted from it stays in the recycle bin, ISO
/// 8601, if that differs from the setting; `control/container-limit/<id>` exists while the
/// container is limited to some registrations.
final class ContainerRecords {

  private static final String PREFIX = "control/container/";
  private static final String BIN = "control/container-bin/";
  private static final String LIMIT = "control/container-limit/";

  private final PoolRecords records;

  ContainerRecords(PoolRecords records) {
    this.records = records;
  }

  /// Every container that can be read.
  List<StorageContainer> all() {
    List<StorageContainer> all = new ArrayList<>();
    for (Map.Entry<String, String> entry : records.withPrefix(PREFIX).entrySet()) {
      parse(entry.getKey().substring(PREFIX.length()), entry.getValue()).ifPresent(all::add);
    }
    return all;
  }

  private @Nullable Duration binTime(String id) {
    try {
      return records.find(BIN + id).map(Duration::parse).orElse(null);
    } catch (DateTimeParseException unreadable) {
      return null;
    }
  }

  private void putBinTime(UUID id, @Nullable Duration time) {
    if (!Objects.equals(time, binTime(id.toString()))) {
      apply(
          time == null
              ? new RecordChange.Remove(BIN + id)
              : new RecordChange.Put(BIN + id, time.toString()));
    }
  }

  Optional<StorageContainer> find(UUID id) {
    return records.find(PREFIX + id).flatMap(value -> parse(id.toString(), value));
  }

  /// Writes a record, unless it stands there already. Stable on return.
  void put(StorageContainer container) {
    String key = PREFIX + container.id();
    String value =
        "%d %s %s".formatted(container.quotaInBytes(), container.created(), container.name());
    if (records.find(key).filter(value::equals).isEmpty()) {
      apply(new RecordChange.Put(key, value));
    }
    putBinTime(container.id(), container.binTime());
  }

  boolean isLimited(UUID id) {
    return records.find(LIMIT + id).isPresent();
  }

  /// Writes or removes the record of a limit, unless it is so already. Stable on return.
  void putLimit(UUID id, boolean limited) {
    if (limited != isLimited(id)) {
      apply(
          limited
              ? new RecordChange.Put(LIMIT + id, "limited")
              : new RecordChange.Remove(LIMIT + id));
    }
  }

  /// Removes the record of a container. Stable on return.
  void remove(UUID id) {
    putBinTime(id, null);
    if (records.find(PREFIX + id).isPresent()) {
      apply(new RecordChange.Remove(PREFIX + id));
    }
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
  }

  private Optional<StorageContainer> parse(String id, String value) {
    String[] parts = value.split(" ", 3);
    try {
      return parts.length < 3
          ? Optional.empty()
          : Optional.of(
              new StorageContainer(
                  UUID.fromString(id),
                  parts[2],
                  Long.parseLong(parts[0]),
                  Instant.parse(parts[1]),
                  binTime(id)));
    } catch (IllegalArgumentException | DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }
}
