package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rounds in which the tests of runbooks begin that are due. The first one settles the runs
/// that a crash cut: it ends their tests, for which the control plane must be there.
///
/// A test is due if its moment came since the last round. Nothing is kept about that: what came
/// while the provider was down is left out, and not made up for. So is what is more than some
/// minutes late, as after a machine that stood still. One thread does the rounds; only it may call
/// [#round].
public final class RunbookRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RunbookRounds.class);

  private static final String WORK = "runbooks.test";
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration LATEST = Duration.ofMinutes(5);

  private final Runbooks runbooks;
  private final RunbookRuns runs;
  private final WorkGate gate;
  private final OwnWork own;
  private final InstantSource clock;
  private final IntervalThread thread = new IntervalThread("runbooks", TICK, this::attempt);
  private Instant before; // of the thread, as is the next
  private boolean isSettled;

  RunbookRounds(
      Runbooks runbooks, RunbookRuns runs, WorkGate gate, OwnWork own, InstantSource clock) {
    this.runbooks = runbooks;
    this.runs = runs;
    this.gate = gate;
    this.own = own;
    this.clock = clock;
    before = clock.instant();
  }

  /// Starts the rounds, unless they are started.
  public void start() {
    thread.start();
  }

  private void attempt() {
    try {
      round();
    } catch (RuntimeException e) { // the thread must outlive whatever one round meets
      log.atError().setCause(e).log("a round of runbooks failed");
    }
  }

  /// Settles what was cut, the first time, and begins the tests whose moment came since the last
  /// round. Does nothing while the control plane is away.
  public void round() {
    try (var pass = gate.tryEnter().orElse(null)) {
      if (pass == null) {
        return;
      }
      if (!isSettled) {
        runs.settleAll();
        isSettled = true;
      }
      Instant now = clock.instant();
      for (Runbook runbook : runbooks.list()) {
        TestSchedule schedule = runbook.plan().schedule();
        if (schedule != null && isDue(schedule, now)) {
          begin(runbook);
        }
      }
      before = now;
    }
  }

  private boolean isDue(TestSchedule schedule, Instant now) {
    Instant moment = schedule.recurrence().latestAt(now);
    return moment.isAfter(before) && !moment.isBefore(now.minus(LATEST));
  }

  private void begin(Runbook runbook) {
    try {
      runs.test(runbook.id());
      own.done(WORK, runbook.plan().name());
    } catch (VasaException e) { // something else of it goes on, or it was removed just now
      log.atInfo()
          .addKeyValue("runbook", runbook.plan().name())
          .log("a scheduled test was left out: {}", e.getMessage());
      own.failed(WORK, runbook.plan().name(), String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
