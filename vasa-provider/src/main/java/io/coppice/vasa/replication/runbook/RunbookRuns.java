package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runs of runbooks: checks, tests and real ones. A test or run goes on by a thread of its own
/// after its call has returned; a runbook has one at a time. Safe for any thread.
///
/// *Crash argument:* a run has its report before it does anything, and the report says that it goes
/// on. One that says so and does not go on in this process was cut. [#settle] tells its groups that
/// were at it, ends what a test began, and writes the end: each may be repeated, and the end comes
/// last. Until then nothing else of the runbook begins.
public final class RunbookRuns implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RunbookRuns.class);

  private static final Duration LONGEST_END = Duration.ofSeconds(30);
  private static final String CUT_RUN = "cut by a restart: run it again to go on";
  private static final String CUT_TEST = "cut by a restart, which ended its tests";

  private final Runbooks runbooks;
  private final RunRecords records;
  private final RunSteps steps;
  private final Consumer<NewChange> history;
  private final InstantSource clock;
  private volatile boolean closed;

  /// @param history hears of each begin and end
  RunbookRuns(
      Runbooks runbooks,
      RunRecords records,
      RunSteps steps,
      Consumer<NewChange> history,
      InstantSource clock) {
    this.runbooks = runbooks;
    this.records = records;
    this.steps = steps;
    this.history = history;
    this.clock = clock;
  }

  // ---- begun

  /// Says what would happen. Nothing is changed; the report is kept.
  ///
  /// @throws VasaException (NotFound) if there is no such runbook
  public RunbookRun check(UUID id) {
    Runbook runbook = runbooks.require(id);
    Instant begun = now();
    List<StepResult> results = steps.check(runbook);
    Integer step = null;
    String why = null;
    for (StepResult result : results.reversed()) {
      Optional<GroupResult> failed = result.failed();
      if (failed.isPresent()) {
        step = result.number();
        why = RunSteps.sentence(step, failed.get());
      }
    }
    RunState state = step == null ? RunState.SUCCEEDED : RunState.FAILED;
    synchronized (runbooks) {
      runbooks.require(id); // it may have been removed meanwhile
      RunbookRun report =
          report(runbook, RunKind.CHECK, false, begun, results).end(state, now(), step, why);
      records.put(report);
      records.prune(id);
      history.accept(RunbookChanges.ended(runbook, report));
      return report;
    }
  }

  private RunbookRun report(
      Runbook runbook, RunKind kind, boolean planned, Instant begun, List<StepResult> results) {
    long before =
        records.heads(runbook.id()).stream().findFirst().map(RunbookRun::number).orElse(0L);
    return new RunbookRun(
        UUID.randomUUID(),
        runbook.id(),
        before + 1,
        kind,
        planned,
        Actor.current().name(),
        begun,
        null,
        RunState.RUNNING,
        null,
        null,
        results);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// Begins to fail over, or goes on with it: groups whose volumes are here count as done.
  ///
  /// @param planned whether each group must be prepared at its source; else no source is called
  /// @return the report at the begin
  /// @throws VasaException (NotFound) if there is no such runbook; (ResourceInUse) if a run or test
  ///   of it goes on
  public RunbookRun run(UUID id, boolean planned) {
    return begin(id, RunKind.RUN, planned);
  }

  /// Begins a test.
  ///
  /// @return the report at the begin
  /// @throws VasaException as [#run]
  public RunbookRun test(UUID id) {
    return begin(id, RunKind.TEST, false);
  }

  private RunbookRun begin(UUID id, RunKind kind, boolean planned) {
    if (closed) {
      throw VasaException.busy("the provider is about to end");
    }
    Actor actor = Actor.current();
    ActiveRun run =
        runbooks.claim(
            id,
            runbook -> {
              RunbookRun report = report(runbook, kind, planned, now(), steps.waiting(runbook));
              records.put(report);
              return new ActiveRun(records, runbook, report);
            });
    RunbookRun begun = run.report();
    history.accept(RunbookChanges.begun(run.runbook(), begun));
    run.start(() -> actor.run(() -> carryOut(run)));
    return begun;
  }

  private void carryOut(ActiveRun run) {
    Runbook runbook = run.runbook();
    RunbookRun ended;
    try {
      settle(runbook);
      endOpenTests(runbook, run.report().id());
      ended = run.report().kind() == RunKind.TEST ? steps.test(run) : steps.failOver(run);
      records.prune(runbook.id());
    } catch (RuntimeException e) {
      // The pool does not take the report any more: it stays unfinished, and is settled as if cut.
      log.atError().setCause(e).log("a run of {} was cut", runbook.text());
      return;
    } finally {
      runbooks.free(runbook.id());
    }
    if (ended.state().ended()) {
      history.accept(RunbookChanges.ended(runbook, ended));
    }
  }

  // ---- ended

  /// Ends a test: the one that goes on, before its next step or in its hold, or else what an
  /// earlier one could not end.
  ///
  /// @return the report as it is now: the end of a test that goes on follows
  /// @throws VasaException (NotFound) if there is no such runbook; (ResourceInUse) if a real run
  ///   goes on; (InvalidReplicationState) if there is no test to end
  public RunbookRun endTest(UUID id) {
    Runbook runbook = runbooks.require(id);
    ActiveRun run = runbooks.active(id).orElse(null);
    if (run != null && run.report().kind() == RunKind.TEST) {
      history.accept(RunbookChanges.told(runbook));
      run.hurry();
      return run.report();
    }
    List<RunbookRun> open = records.of(id).stream().filter(RunbookRun::hasOpenTests).toList();
    if (open.isEmpty()) {
      throw new VasaException(
          new Fault.InvalidReplicationState("", List.of("INTEST")),
          "expected a test of %s to end, but none goes on".formatted(runbook.text()));
    }
    ActiveRun again = runbooks.claim(id, same -> new ActiveRun(records, same, open.getFirst()));
    try {
      history.accept(RunbookChanges.told(runbook));
      endOpenTests(runbook, null);
    } finally {
      runbooks.free(id);
    }
    return records.find(id, again.report().id()).orElseThrow();
  }

  /// Tries again to end what earlier tests left. What is left again stays in their reports.
  ///
  /// @param but a run that is left alone; null for none
  private void endOpenTests(Runbook runbook, @Nullable UUID but) {
    for (RunbookRun left : records.of(runbook.id())) {
      if (left.hasOpenTests() && !left.id().equals(but)) {
        steps.endTests(new ActiveRun(records, runbook, left));
      }
    }
  }

  // ---- after a crash

  /// Ends the reports of all runs that a crash cut, and what tests among them began. What cannot be
  /// ended is said in its report.
  public void settleAll() {
    for (Runbook runbook : runbooks.list()) {
      try {
        settle(runbook);
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("a run of {} that was cut is not settled", runbook.text());
      }
    }
  }

  private void settle(Runbook runbook) {
    for (RunbookRun left : records.of(runbook.id())) {
      boolean goesOn =
          runbooks
              .active(runbook.id())
              .filter(run -> run.report().id().equals(left.id()))
              .isPresent();
      if (!left.state().ended() && !goesOn) {
        ActiveRun run = new ActiveRun(records, runbook, left);
        steps.cut(run);
        String why = left.kind() == RunKind.TEST ? CUT_TEST : CUT_RUN;
        String open = steps.endTests(run);
        RunbookRun ended =
            run.report()
                .end(RunState.CUT, now(), null, open == null ? why : "cut by a restart; " + open);
        run.write(ended);
        history.accept(RunbookChanges.ended(runbook, ended));
      }
    }
  }

  /// Leaves what goes on to the next start. Waits until the groups at work are done, for up to 30
  /// s.
  @Override
  public void close() {
    closed = true;
    List<ActiveRun> all = runbooks.active();
    all.forEach(ActiveRun::halt);
    all.forEach(run -> run.awaitEnd(LONGEST_END));
  }
}
