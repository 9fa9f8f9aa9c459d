package io.coppice.vasa.alarm;

import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.time.ClockJump;
import io.coppice.vasa.time.SeenTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The watch over jumps of the machine's clock: an event and a line of the log for each, and an
/// alarm of the array for a day after the last one. Keeps the last time seen, and the lock time, in
/// the pool.
@Service
public final class ClockWatch {

  private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);

  private static final Duration REPORTED_FOR = Duration.ofDays(1);

  private final SeenTime time;
  private final EventLog events;
  private final Alarms.Subject subject;
  private final SnapshotLocks locks;

  public ClockWatch(SeenTime time, StorageEngine engine, EventLog events) {
    this.time = time;
    this.events = events;
    this.locks = engine.locks();
    this.subject =
        new Alarms.Subject("Object", "StorageArray", Inventory.arrayId(engine.pool().id()), null);
  }

  /// Reports new jumps, and keeps the times.
  public void look() {
    time.takeNews().forEach(this::report);
    time.keep();
    locks.keep();
  }

  private void report(ClockJump jump) {
    String by = "%+d".formatted(jump.by().toSeconds());
    log.atWarn()
        .addKeyValue("seconds", by)
        .addKeyValue("now", jump.at())
        .log("the machine's clock jumped; schedules and retention go on by the time that passed");
    events.append(
        NewEvent.system(
            ObjectType.STORAGE_ARRAY,
            subject.objectId(),
            "io.coppice.event.ClockJumped",
            Map.of("seconds", by, "now", jump.at().toString())));
  }

  Optional<Alarms.Report> alarm() {
    return time.sawEvenClockFor(REPORTED_FOR)
        ? Optional.empty()
        : Optional.of(
            Alarms.Report.of(
                subject,
                RaisedAlarm.Status.YELLOW,
                "ClockJumped",
                Map.of("seconds", "%+d".formatted(time.ahead().toSeconds()))));
  }
}
