package io.coppice.replication.intake;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Place;
import io.coppice.replication.replica.DerivedIds;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The record of how far a group's cycle has come: `CYCLE BASES MEMBER OFFSET`, or `CYCLE` alone
/// while its carriers are prepared. Until a cycle has its place, nothing of its data was written.
///
/// The record of a cycle stays when it has ended. A carrier that no cycle has touched since is as
/// that cycle's replica.
final class CycleProgress {

  private static final String PREFIX = "replication/cycle/";

  private final PoolRecords records;
  private final String key;
  private final String cycle;
  private final String bases;

  CycleProgress(PoolRecords records, Cycle cycle) {
    this.records = records;
    key = PREFIX + cycle.group();
    this.cycle = cycle.id().toString();
    bases =
        DerivedIds.volume("bases", cycle.members().stream().map(Member::base).toList()).toString();
  }

  /// The cycle that a group began last; null if it began none.
  static @Nullable UUID begun(PoolRecords records, UUID group) {
    return records
        .find(PREFIX + group)
        .map(text -> UUID.fromString(text.split(" ", 2)[0]))
        .orElse(null);
  }

  /// The place from which this very cycle goes on; null if it must begin, or has other bases now.
  @Nullable Place place() {
    String[] parts = records.find(key).orElse("").split(" ", -1);
    return parts.length == 4 && parts[0].equals(cycle) && parts[1].equals(bases)
        ? new Place(Integer.parseInt(parts[2]), Long.parseLong(parts[3]))
        : null;
  }

  /// Notes that the carriers are being prepared.
  void prepare() {
    put(cycle);
  }

  /// Notes what is stable.
  void reach(Place place) {
    put("%s %s %d %d".formatted(cycle, bases, place.member(), place.offset()));
  }

  private void put(String value) {
    records.apply(OperationId.random(), List.of(new RecordChange.Put(key, value)));
  }
}
