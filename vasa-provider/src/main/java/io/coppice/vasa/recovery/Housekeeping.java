package io.coppice.vasa.recovery;

import io.coppice.vasa.session.Session;
import io.coppice.vasa.session.Sessions;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.SnapshotSchedules;
import io.coppice.vasa.volume.Snapshots;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// What the control plane does by itself while it runs: scheduled snapshots and their deletion,
/// prepared ones that nobody took, operations that the loss of the database left unsettled, tasks
/// whose time is over, alarms.
///
/// One virtual thread does one round after the other. A round that fails is reported and the next
/// one begins anew: everything that it does is found in rows.
@Service
public final class Housekeeping implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final SnapshotSchedules schedules;
  private final Snapshots snapshots;
  private final Sessions sessions;
  private final Reconciliation reconciliation;
  private final Tasks tasks;
  private final AlarmWatch alarms;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable Thread thread;

  public Housekeeping(
      SnapshotSchedules schedules,
      Snapshots snapshots,
      Sessions sessions,
      Reconciliation reconciliation,
      Tasks tasks,
      AlarmWatch alarms) {
    this.schedules = schedules;
    this.snapshots = snapshots;
    this.sessions = sessions;
    this.reconciliation = reconciliation;
    this.tasks = tasks;
    this.alarms = alarms;
  }

  /// Starts the rounds; after [Reconciliation#atStart].
  public synchronized void start() {
    if (thread == null) {
      thread = Thread.ofVirtual().name("housekeeping").start(this::run);
    }
  }

  private void run() {
    boolean failing = false;
    try {
      while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        failing = !round(failing);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// @param failing whether the round before failed: a lasting failure is reported once
  private boolean round(boolean failing) {
    try {
      round();
      return true;
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one round meets
      if (!failing) {
        log.atWarn().setCause(e).log("housekeeping failed and is tried again");
      }
      return false;
    }
  }

  /// One round, on the calling thread.
  public void round() {
    reconciliation.whileRunning();
    schedules.takeDue();
    schedules.deleteExpired();
    snapshots.forgetPrepared(
        sessions.all().stream().map(Session::number).collect(Collectors.toSet()));
    tasks.forgetOld();
    alarms.lookWhenDue();
  }

  /// Lets the running round end and starts no other.
  @Override
  public synchronized void close() {
    stopped.countDown();
    Thread running = thread;
    if (running != null) {
      try {
        running.join(Duration.ofSeconds(30));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
