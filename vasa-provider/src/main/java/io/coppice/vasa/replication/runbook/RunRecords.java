package io.coppice.vasa.replication.runbook;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The pool's records of runs: `replication/run/RUNBOOK/RUN` is a run as JSON without its steps,
/// `replication/run/RUNBOOK/RUN/NN` the result of a step. A result has a record of its own because
/// a record takes 16 KiB, and because each group's end writes one. Safe for any thread.
final class RunRecords {

  private static final Logger log = LoggerFactory.getLogger(RunRecords.class);
  private static final String PREFIX = "replication/run/";
  private static final Comparator<RunbookRun> NEWEST_FIRST =
      Comparator.comparingLong(RunbookRun::number).reversed().thenComparing(RunbookRun::id);

  private final PoolRecords records;
  private final JsonMapper json = new JsonMapper();
  private final Set<String> said = ConcurrentHashMap.newKeySet(); // keys of unreadable records

  RunRecords(PoolRecords records) {
    this.records = records;
  }

  private static String prefix(UUID runbook) {
    return PREFIX + runbook + "/";
  }

  private static String key(RunbookRun run) {
    return prefix(run.runbook()) + run.id();
  }

  private static String key(RunbookRun run, int step) {
    return "%s/%02d".formatted(key(run), step);
  }

  /// The runs of a runbook, newest first. A record that nobody can read is left out, and said once.
  List<RunbookRun> of(UUID runbook) {
    return parse(runbook, records.withPrefix(prefix(runbook)));
  }

  /// The runs of a runbook without their steps, newest first.
  List<RunbookRun> heads(UUID runbook) {
    NavigableMap<String, String> heads = new TreeMap<>(records.withPrefix(prefix(runbook)));
    heads.keySet().removeIf(key -> key.indexOf('/', prefix(runbook).length()) >= 0);
    return parse(runbook, heads);
  }

  Optional<RunbookRun> find(UUID runbook, UUID run) {
    return parse(runbook, records.withPrefix(prefix(runbook) + run)).stream().findFirst();
  }

  private List<RunbookRun> parse(UUID runbook, NavigableMap<String, String> found) {
    Map<String, RunbookRun> runs = new LinkedHashMap<>();
    Map<String, List<StepResult>> steps = new LinkedHashMap<>();
    found.forEach(
        (key, text) -> {
          String[] parts = key.substring(prefix(runbook).length()).split("/", -1);
          if (parts.length == 1) {
            parse(key, text, RunbookRun.class)
                .filter(run -> key.equals(key(run)))
                .ifPresent(run -> runs.put(parts[0], run));
          } else {
            parse(key, text, StepResult.class)
                .ifPresent(
                    step -> steps.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(step));
          }
        });
    return runs.entrySet().stream()
        .map(run -> run.getValue().with(steps.getOrDefault(run.getKey(), List.of())))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  private <T> Optional<T> parse(String key, String text, Class<T> type) {
    try {
      return Optional.ofNullable(json.readValue(text, type));
    } catch (JacksonException e) {
      if (said.add(key)) {
        log.atError().addKeyValue("record", key).log("the pool's record {} cannot be read", key);
      }
      return Optional.empty();
    }
  }

  /// Writes a run with all its steps by one record change. Stable on return.
  void put(RunbookRun run) {
    List<RecordChange> changes = new ArrayList<>();
    changes.add(head(run));
    run.steps().forEach(step -> changes.add(step(run, step)));
    records.apply(OperationId.random(), changes);
  }

  /// Writes what a run is without its steps. Stable on return.
  void putHead(RunbookRun run) {
    records.apply(OperationId.random(), List.of(head(run)));
  }

  /// Writes the result of one step. Stable on return.
  void putStep(RunbookRun run, StepResult result) {
    records.apply(OperationId.random(), List.of(step(run, result)));
  }

  private RecordChange head(RunbookRun run) {
    return new RecordChange.Put(key(run), json.writeValueAsString(run.with(List.of())));
  }

  private RecordChange step(RunbookRun run, StepResult result) {
    String text = json.writeValueAsString(result);
    if (text.getBytes(StandardCharsets.UTF_8).length > PoolRecords.MAX_VALUE_BYTES) {
      text = json.writeValueAsString(result.shortened());
    }
    return new RecordChange.Put(key(run, result.number()), text);
  }

  /// Forgets what is too old: of a runbook the last 30 runs stay, those that go on or have tests
  /// open, and the last test that came to an end, by which the alert is judged.
  void prune(UUID runbook) {
    List<RunbookRun> all = of(runbook);
    RunbookRun judged = judged(all).orElse(null);
    for (int i = RunbookBounds.MOST_REPORTS; i < all.size(); i++) {
      RunbookRun run = all.get(i);
      if (run.state().ended() && !run.hasOpenTests() && !run.equals(judged)) {
        remove(run);
      }
    }
  }

  /// The newest test that succeeded or failed.
  static Optional<RunbookRun> judged(List<RunbookRun> newestFirst) {
    return newestFirst.stream()
        .filter(run -> run.kind() == RunKind.TEST)
        .filter(run -> run.state() == RunState.SUCCEEDED || run.state() == RunState.FAILED)
        .findFirst();
  }

  /// Forgets all runs of a runbook, one after the other.
  void removeAll(UUID runbook) {
    for (String key : records.withPrefix(prefix(runbook)).keySet()) {
      records.apply(OperationId.random(), List.of(new RecordChange.Remove(key)));
    }
  }

  private void remove(RunbookRun run) {
    records.apply(
        OperationId.random(),
        records.withPrefix(key(run)).keySet().stream()
            .<RecordChange>map(RecordChange.Remove::new)
            .toList());
  }
}
