package io.coppice.vasa.export.temporary;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// The pool's records of temporary exports, which are lost no more than the exports themselves.
/// `control/temporary-export/ID` has the lines state, `writable` or `readOnly`, time of making,
/// time of the end, id of the recovery point or `-`, and the ids of the snapshots.
final class TemporaryRecords {

  private static final String PREFIX = "control/temporary-export/";
  private static final String WRITABLE = "writable";
  private static final String NONE = "-";
  private static final int HEAD = 5; // lines before the snapshots

  private final PoolRecords records;

  TemporaryRecords(PoolRecords records) {
    this.records = records;
  }

  List<TemporaryExport> all() {
    return records.withPrefix(PREFIX).entrySet().stream()
        .map(entry -> readable(entry.getKey().substring(PREFIX.length()), entry.getValue()))
        .toList();
  }

  Optional<TemporaryExport> find(UUID id) {
    return records.find(PREFIX + id).map(value -> readable(id.toString(), value));
  }

  /// Stable on return, as [#remove].
  void put(TemporaryExport export) {
    UUID point = export.point();
    Stream<String> head =
        Stream.of(
            export.state().name(),
            export.writable() ? WRITABLE : "readOnly",
            export.created().toString(),
            export.ends().toString(),
            point == null ? NONE : point.toString());
    Stream<String> snapshots = export.snapshots().stream().map(VolumeId::toString);
    apply(
        new RecordChange.Put(
            PREFIX + export.id(), String.join("\n", Stream.concat(head, snapshots).toList())));
  }

  void remove(UUID id) {
    apply(new RecordChange.Remove(PREFIX + id));
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
  }

  private static TemporaryExport readable(String id, String value) {
    try {
      List<String> lines = List.of(value.split("\n", -1));
      return new TemporaryExport(
          UUID.fromString(id),
          lines.get(4).equals(NONE) ? null : UUID.fromString(lines.get(4)),
          lines.get(1).equals(WRITABLE),
          TemporaryExport.State.valueOf(lines.get(0)),
          Instant.parse(lines.get(2)),
          Instant.parse(lines.get(3)),
          lines.stream().skip(HEAD).map(VolumeId::parse).toList());
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "expected the pool's record %s%s to be readable, got: %s".formatted(PREFIX, id, value),
          e);
    }
  }
}
