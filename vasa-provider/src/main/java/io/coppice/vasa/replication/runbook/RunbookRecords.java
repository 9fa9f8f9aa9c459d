package io.coppice.vasa.replication.runbook;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The pool's records of runbooks: `replication/runbook/ID` is the runbook as JSON.
///
/// They are in the pool and not in the database, since a disaster may take the database. Safe for
/// any thread.
final class RunbookRecords {

  private static final Logger log = LoggerFactory.getLogger(RunbookRecords.class);
  private static final String PREFIX = "replication/runbook/";

  private final PoolRecords records;
  private final JsonMapper json = new JsonMapper();
  private final Set<String> said = ConcurrentHashMap.newKeySet(); // keys of unreadable records

  RunbookRecords(PoolRecords records) {
    this.records = records;
  }

  /// All runbooks. A record that nobody can read, or that is out of bounds, is left out, and said
  /// once.
  List<Runbook> all() {
    return records.withPrefix(PREFIX).entrySet().stream()
        .flatMap(entry -> parse(entry.getKey(), entry.getValue()).stream())
        .toList();
  }

  Optional<Runbook> find(UUID id) {
    String key = PREFIX + id;
    return records.find(key).flatMap(text -> parse(key, text));
  }

  private Optional<Runbook> parse(String key, String text) {
    try {
      return Optional.ofNullable(json.readValue(text, Runbook.class))
          .filter(runbook -> key.equals(PREFIX + runbook.id()));
    } catch (JacksonException e) {
      if (said.add(key)) {
        log.atError().addKeyValue("record", key).log("the pool's record {} cannot be read", key);
      }
      return Optional.empty();
    }
  }

  /// Stable on return.
  void put(Runbook runbook) {
    apply(new RecordChange.Put(PREFIX + runbook.id(), json.writeValueAsString(runbook)));
  }

  /// Stable on return.
  void remove(UUID id) {
    apply(new RecordChange.Remove(PREFIX + id));
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
  }
}
