package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A run that goes on in this process, with its report, which is written as it grows. Safe for any
/// thread.
final class ActiveRun {

  private final RunRecords records;
  private final Runbook runbook;
  private final CountDownLatch hurried = new CountDownLatch(1);
  private RunbookRun report; // guarded by this
  private boolean halted; // guarded by this
  private @Nullable Thread thread; // guarded by this

  /// @param report is written already
  ActiveRun(RunRecords records, Runbook runbook, RunbookRun report) {
    this.records = records;
    this.runbook = runbook;
    this.report = report;
  }

  /// The runbook as it was at the begin: it is not changed meanwhile.
  Runbook runbook() {
    return runbook;
  }

  synchronized RunbookRun report() {
    return report;
  }

  synchronized void state(RunState next) {
    write(report.with(next));
  }

  /// Stable on return, as all that follows.
  synchronized void write(RunbookRun next) {
    records.putHead(next);
    report = next;
  }

  /// Writes the result for a group of a step.
  synchronized void write(int number, GroupResult result) {
    StepResult step = step(number).with(result);
    records.putStep(report, step);
    report = report.with(step);
  }

  synchronized StepResult step(int number) {
    return report.steps().get(number - 1);
  }

  GroupResult result(int number, UUID group) {
    return step(number).of(group).orElseThrow();
  }

  // ---- its end before its time

  /// Lets a test end: no step of it begins any more.
  void hurry() {
    hurried.countDown();
  }

  /// Leaves the rest to the next start: nothing more is done or written.
  void halt() {
    synchronized (this) {
      halted = true;
    }
    hurried.countDown();
  }

  boolean isHurried() {
    return hurried.getCount() == 0;
  }

  synchronized boolean isHalted() {
    return halted;
  }

  /// Waits, but no longer than until somebody hurries.
  void pause(Duration time) {
    try {
      boolean _ = hurried.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      halt();
    }
  }

  /// Does its work by a thread of its own.
  synchronized void start(Runnable work) {
    thread = Thread.ofVirtual().name("runbook").start(work);
  }

  void awaitEnd(Duration most) {
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      IntervalThread.awaitEnd(running, most);
    }
  }
}
