package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The runbooks of this pool and the reports of their runs. Safe for any thread.
///
/// A change is one record, so it is there or not after a crash. A removal takes the reports first;
/// a crash in between leaves the runbook with some of them, and nobody was told that it is gone.
public final class Runbooks {

  private final RunbookRecords records;
  private final RunRecords runs;
  private final ReplicationGroups groups;
  private final Consumer<NewChange> history;
  private final Map<UUID, ActiveRun> active = new HashMap<>(); // by runbook; guarded by this

  /// @param history hears of each change
  Runbooks(
      RunbookRecords records,
      RunRecords runs,
      ReplicationGroups groups,
      Consumer<NewChange> history) {
    this.records = records;
    this.runs = runs;
    this.groups = groups;
    this.history = history;
  }

  public List<Runbook> list() {
    return records.all();
  }

  /// @throws VasaException (NotFound) if there is none
  public Runbook require(UUID id) {
    return records.find(id).orElseThrow(() -> VasaException.notFound("there is no runbook " + id));
  }

  /// The reports of a runbook, newest first: the last 30, and the last test that came to an end.
  ///
  /// @throws VasaException (NotFound) if there is no such runbook
  public List<RunbookRun> runs(UUID id) {
    require(id);
    return runs.of(id);
  }

  /// @throws VasaException (NotFound) if there is no such runbook, or no such run of it
  public RunbookRun run(UUID id, UUID run) {
    require(id);
    return runs.find(id, run)
        .orElseThrow(() -> VasaException.notFound("the runbook has no run " + run));
  }

  /// The newest test of a runbook that succeeded or failed, without its steps.
  public Optional<RunbookRun> lastTest(UUID id) {
    return RunRecords.judged(runs.heads(id));
  }

  /// The run or test of a runbook that goes on.
  public Optional<RunbookRun> goingOn(UUID id) {
    return active(id).map(ActiveRun::report);
  }

  // ---- changes

  /// @throws VasaException (InvalidArgument) if the name is taken, a group has no target here, or
  ///   there are 32 runbooks; (NotFound) if a group is unknown
  public synchronized Runbook create(RunbookPlan plan) {
    checkName(plan, null);
    checkGroups(plan, Set.of());
    if (records.all().size() >= RunbookBounds.MOST_RUNBOOKS) {
      throw new VasaException(
          new Fault.TooMany(RunbookBounds.MOST_RUNBOOKS),
          "expected fewer than %d runbooks, which is the most: remove one"
              .formatted(RunbookBounds.MOST_RUNBOOKS));
    }
    Runbook runbook = new Runbook(UUID.randomUUID(), plan);
    records.put(runbook);
    history.accept(RunbookChanges.of(runbook, ChangeKind.NEW));
    return runbook;
  }

  /// Changes the plan of a runbook.
  ///
  /// @throws VasaException as [#create]; (NotFound) if there is no such runbook; (ResourceInUse) if
  ///   a run of it goes on, or a test is not ended whole
  public synchronized Runbook change(UUID id, UnaryOperator<RunbookPlan> change) {
    Runbook before = require(id);
    requireIdle(before, "change it");
    RunbookPlan plan = change.apply(before.plan());
    checkName(plan, id);
    checkGroups(plan, new HashSet<>(before.plan().groups()));
    Runbook changed = new Runbook(id, plan);
    if (!changed.equals(before)) {
      records.put(changed);
      history.accept(RunbookChanges.of(changed, ChangeKind.UPDATE));
    }
    return changed;
  }

  /// Forgets a runbook and its reports. Groups and volumes stay as they are.
  ///
  /// @throws VasaException (NotFound) if there is no such runbook; (ResourceInUse) as [#change]
  public synchronized void remove(UUID id) {
    Runbook runbook = require(id);
    requireIdle(runbook, "remove it");
    runs.removeAll(id);
    records.remove(id);
    history.accept(RunbookChanges.of(runbook, ChangeKind.DELETE));
  }

  private void requireIdle(Runbook runbook, String change) {
    requireFree(runbook);
    if (runs.of(runbook.id()).stream().anyMatch(RunbookRun::hasOpenTests)) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected no test of %s that is not ended whole, to %s: end it first"
              .formatted(runbook.text(), change));
    }
  }

  private void checkName(RunbookPlan plan, @Nullable UUID own) {
    boolean isTaken =
        records.all().stream()
            .anyMatch(one -> one.plan().name().equals(plan.name()) && !one.id().equals(own));
    if (isTaken) {
      throw VasaException.invalidArgument(
              "expected a name that no runbook has, got \"%s\"".formatted(plan.name()))
          .about("name");
    }
  }

  /// @param before groups that the runbook has already: they may be gone, or have been reversed
  private void checkGroups(RunbookPlan plan, Set<UUID> before) {
    for (UUID id : plan.groups()) {
      if (!before.contains(id)) {
        ReplicatedGroup group = groups.require(id);
        if (group.state() == GroupState.SOURCE || group.state() == GroupState.PREPARED) {
          throw VasaException.invalidArgument(
                  "expected groups that have their target here, but %s is a source"
                      .formatted(group.text()))
              .about("steps");
        }
      }
    }
  }

  // ---- turns

  /// Begins a run of a runbook by `begun`, unless one goes on.
  ///
  /// @throws VasaException (NotFound) if there is no such runbook; (ResourceInUse) if a run goes on
  synchronized ActiveRun claim(UUID id, Function<Runbook, ActiveRun> begun) {
    Runbook runbook = require(id);
    requireFree(runbook);
    ActiveRun run = begun.apply(runbook);
    active.put(id, run);
    return run;
  }

  private void requireFree(Runbook runbook) {
    ActiveRun run = active.get(runbook.id());
    if (run != null) {
      boolean isTest = run.report().kind() == RunKind.TEST;
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected that nothing of %s goes on, but %s does: %s"
              .formatted(
                  runbook.text(),
                  isTest ? "a test" : "a run",
                  isTest ? "wait, or end the test" : "wait until it has ended"));
    }
  }

  synchronized void free(UUID id) {
    active.remove(id);
  }

  /// The run of a runbook that goes on in this process.
  synchronized Optional<ActiveRun> active(UUID id) {
    return Optional.ofNullable(active.get(id));
  }

  synchronized List<ActiveRun> active() {
    return List.copyOf(active.values());
  }
}
