package io.coppice.vasa.replication.group;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The pool's records of replication groups: `replication/group/ID` is the group as JSON.
///
/// They are in the pool and not in the database, since a replica and the state of its group must
/// not part. Safe for any thread.
final class GroupRecords {

  private static final Logger log = LoggerFactory.getLogger(GroupRecords.class);
  private static final String PREFIX = "replication/group/";

  /// Most groups that a pool has, whichever end of them it is. All are looked at twice a second.
  static final int MOST = 256;

  private final PoolRecords records;
  private final JsonMapper json = new JsonMapper();

  GroupRecords(PoolRecords records) {
    this.records = records;
  }

  /// All groups. A record that nobody can read is left out, and said once for each call.
  List<ReplicatedGroup> all() {
    return records.withPrefix(PREFIX).entrySet().stream()
        .flatMap(entry -> parse(entry.getKey(), entry.getValue()).stream())
        .toList();
  }

  Optional<ReplicatedGroup> find(UUID id) {
    String key = PREFIX + id;
    return records.find(key).flatMap(text -> parse(key, text));
  }

  private Optional<ReplicatedGroup> parse(String key, String text) {
    try {
      return Optional.of(json.readValue(text, ReplicatedGroup.class));
    } catch (JacksonException e) {
      log.atError().addKeyValue("record", key).log("the pool's record {} cannot be read", key);
      return Optional.empty();
    }
  }

  /// Changes a group as it is at that moment. Stable on return.
  ///
  /// @return absent if it is gone
  synchronized Optional<ReplicatedGroup> update(UUID id, UnaryOperator<ReplicatedGroup> change) {
    Optional<ReplicatedGroup> changed = find(id).map(change);
    changed.ifPresent(this::put);
    return changed;
  }

  /// Puts a new group. Stable on return.
  ///
  /// @return false, and nothing is put, if there are [#MOST] already
  synchronized boolean add(ReplicatedGroup group) {
    if (records.withPrefix(PREFIX).size() >= MOST) {
      return false;
    }
    put(group);
    return true;
  }

  /// Stable on return.
  synchronized void put(ReplicatedGroup group) {
    apply(new RecordChange.Put(PREFIX + group.id(), json.writeValueAsString(group)));
  }

  /// Stable on return.
  synchronized void remove(UUID id) {
    apply(new RecordChange.Remove(PREFIX + id));
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
  }
}
