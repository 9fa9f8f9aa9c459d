package io.coppice.vasa.housekeeping;

import io.coppice.vasa.alarm.AlarmWatch;
import io.coppice.vasa.alarm.ClockWatch;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.protection.ProtectionRounds;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.recovery.Reconciliation;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.task.TaskEnds;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.time.IntervalThread;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.bin.BinRounds;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.vasa.watch.WatchAnswers;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The rounds of duties that the control plane does by itself while it runs: scheduled snapshots
/// and recovery points with their deletion, who is to have continuous points, temporary exports
/// whose time has come, what has been in the recycle bin for its time, prepared snapshots that
/// nobody took, operations that the loss of the database left unsettled, tasks whose time is over,
/// ends of tasks in the audit trail, alarms. What it changes is told to [OwnWork].
///
/// One virtual thread does one round after the other, each with all of these duties. No round runs
/// while the gate of the control plane is closed. A duty that fails is reported and does not stop
/// the others: alarms are raised also while the pool has stopped. Each round begins anew, because
/// all of its work is found in rows.
@Service
public final class HousekeepingRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HousekeepingRounds.class);

  private final List<Duty> duties;
  private final WorkGate gate;
  private final Set<Duty> failing = new HashSet<>(); // of the thread
  private final IntervalThread thread =
      new IntervalThread("housekeeping", Duration.ofSeconds(1), this::attemptAll);

  public HousekeepingRounds(
      SnapshotSchedules schedules,
      ProtectionRounds protection,
      ContinuousProtection continuous,
      WatchAnswers watch,
      TemporaryExports temporaryExports,
      Snapshots snapshots,
      BinRounds bin,
      VasaSessions sessions,
      Reconciliation reconciliation,
      Tasks tasks,
      ChangeHistory history,
      AlarmWatch alarms,
      ClockWatch clock,
      ScrubWatch scrubs,
      TaskEnds ends,
      OwnWork own,
      SeenTime time,
      WorkGate gate) {
    this.gate = gate;
    duties =
        List.of(
            new Duty("clock", clock::look),
            new Duty("alarms", alarms::lookWhenDue),
            new Duty("recovery", reconciliation::whileRunning),
            new Duty("snapshots", schedules::takeDue),
            new Duty("retention", schedules::deleteExpired),
            new Duty("protection", protection::round),
            new Duty("continuous points", continuous::roundWhenDue),
            new Duty("watch", watch::round),
            new Duty("temporary exports", temporaryExports::round),
            new Duty("times of the recycle bin", bin::lowerTimes),
            new Duty("recycle bin", bin::purgeDue),
            new Duty("space of the recycle bin", bin::makeRoomWhenLow),
            new Duty("prepared snapshots", () -> forgetPrepared(snapshots, sessions, own)),
            new Duty("job ends", ends::writeDue),
            new Duty("tasks", () -> own.done("tasks.age-out", tasks.forgetOld(time))),
            new Duty("events", () -> ageEvents(history, own)),
            new Duty("scrub", scrubs::lookWhenDue));
  }

  private record Duty(String name, Runnable work) {}

  private static void forgetPrepared(Snapshots snapshots, VasaSessions sessions, OwnWork own) {
    own.done(
        "snapshots.forget-prepared",
        snapshots.forgetPrepared(
            sessions.all().stream().map(VasaSession::number).collect(Collectors.toSet())));
  }

  private static void ageEvents(ChangeHistory history, OwnWork own) {
    history.settle();
    own.done("events.age-out", history.takeRemoved());
  }

  /// Starts the rounds; after [Reconciliation#atStart].
  public void start() {
    thread.start();
  }

  private void attemptAll() {
    duties.forEach(this::attempt);
  }

  private void attempt(Duty duty) {
    try (var pass = gate.tryEnter().orElse(null)) {
      if (pass != null) {
        duty.work().run();
        failing.remove(duty);
      }
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one round meets
      if (failing.add(duty)) { // a lasting failure is reported once
        log.atWarn()
            .addKeyValue("duty", duty.name())
            .setCause(e)
            .log("housekeeping failed and is tried again");
      }
    }
  }

  /// Does one round on the calling thread, which is inside of the gate. Ends with the first duty
  /// that fails.
  public void round() {
    duties.forEach(duty -> duty.work().run());
  }

  /// The duties of a round by name, in their order.
  Map<String, Runnable> duties() {
    Map<String, Runnable> byName = new LinkedHashMap<>();
    duties.forEach(duty -> byName.put(duty.name(), duty.work()));
    return byName;
  }

  /// Lets the running round end and starts no other.
  @Override
  public void close() {
    thread.close();
  }
}
