package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.store.ScheduleRepository.Due;
import io.coppice.vasa.volume.store.ScheduleRepository.Expired;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The array's snapshots on a schedule. The schedules take those that are due and delete those
/// whose time is over.
///
/// The time that this provider has seen pass ([io.coppice.vasa.time.SeenTime]) judges what is due
/// and what is old, and the rows have it too. A clock that jumps forward deletes nothing, and one
/// that jumps back lets no snapshot wait.
///
/// The rows of the schedules are the queue. A run is marked done in the transaction that makes its
/// snapshots final, so a crash repeats a run and never loses one. One run makes up for all runs
/// that were missed while nothing ran, and the next one is that of the [SnapshotGrid] again.
@Service
public final class SnapshotSchedules {

  private static final Logger log = LoggerFactory.getLogger(SnapshotSchedules.class);

  private static final String TAKE = "snapshots.take";
  private static final String EXPIRE = "snapshots.expire";

  private static final int BATCH = 1000;
  private static final Duration RETRY = Duration.ofSeconds(60);

  private final VolumeStore store;
  private final Snapshots snapshots;
  private final VirtualVolumes volumes;
  private final OwnWork own;

  public SnapshotSchedules(
      VolumeStore store, Snapshots snapshots, VirtualVolumes volumes, OwnWork own) {
    this.own = own;
    this.store = store;
    this.snapshots = snapshots;
    this.volumes = volumes;
  }

  /// Takes snapshots that are due, about [#BATCH] in one call. The disks of one virtual machine
  /// that are due form one consistency group, of [StorageEngine#MAX_GROUP] at most, and no call
  /// takes a part of them.
  ///
  /// @return number of snapshots taken
  public int takeDue() {
    Instant now = store.seen();
    Map<String, List<SnapshotSchedule>> groups = new LinkedHashMap<>();
    for (Due due : store.schedules().due(now, BATCH)) {
      groups.computeIfAbsent(due.owner(), _ -> new ArrayList<>()).add(due.schedule());
    }
    int taken = 0;
    for (Map.Entry<String, List<SnapshotSchedule>> group : groups.entrySet()) {
      List<SnapshotSchedule> all = group.getValue();
      for (int from = 0; from < all.size(); from += StorageEngine.MAX_GROUP) {
        int to = Math.min(all.size(), from + StorageEngine.MAX_GROUP);
        taken += take(group.getKey(), all.subList(from, to), now);
      }
    }
    return taken;
  }

  private int take(String owner, List<SnapshotSchedule> due, Instant now) {
    List<SnapshotSchedule> group = new ArrayList<>(due);
    group.removeIf(schedule -> skipped(owner, schedule, now));
    return group.isEmpty() ? 0 : takeTogether(owner, group, now);
  }

  /// Skips one turn of a volume that nobody may snapshot now, and records the reason. The others of
  /// its group are taken.
  private boolean skipped(String owner, SnapshotSchedule schedule, Instant now) {
    try {
      store.checkNotCopiedTo(schedule.volume());
      return false;
    } catch (VasaException e) {
      String reason = "skipped: " + e.getMessage();
      store.schedules().failed(schedule.volume(), reason, next(owner, schedule, now));
      own.failed(TAKE, schedule.volume().toString(), reason);
      log.atWarn()
          .addKeyValue("volume", schedule.volume())
          .addKeyValue("reason", reason)
          .log("a scheduled snapshot was skipped");
      return true;
    }
  }

  private int takeTogether(String owner, List<SnapshotSchedule> group, Instant now) {
    try {
      snapshots.takeNow(
          group.stream().map(SnapshotSchedule::volume).toList(),
          VolumeOrigin.SCHEDULE,
          Map.of(VolumeChoice.NAME_KEY, "scheduled " + store.now()),
          () ->
              group.forEach(
                  schedule ->
                      store
                          .schedules()
                          .taken(
                              schedule.volume(),
                              now,
                              schedule.next(),
                              next(owner, schedule, now))));
      own.done(TAKE, group.size());
      return group.size();
    } catch (VasaException e) {
      String reason = String.valueOf(e.getMessage());
      Instant retry = now.plus(RETRY);
      for (SnapshotSchedule schedule : group) {
        store.schedules().failed(schedule.volume(), reason, retry);
        own.failed(TAKE, schedule.volume().toString(), reason);
      }
      log.atWarn()
          .addKeyValue("volumes", group.size())
          .addKeyValue("reason", reason)
          .log("scheduled snapshots were not taken");
      return 0;
    }
  }

  private static Instant next(String owner, SnapshotSchedule schedule, Instant now) {
    return SnapshotGrid.next(owner, schedule.interval(), now);
  }

  /// Deletes scheduled snapshots whose time is over, [#BATCH] at most in one call. A bound or
  /// exported snapshot waits, asks the database nothing and holds no other one up.
  ///
  /// @return number of snapshots deleted
  public int deleteExpired() {
    Instant now = store.seen();
    int deleted = 0;
    List<Expired> part = store.schedules().expired(now, null, BATCH);
    while (!part.isEmpty() && deleted < BATCH) {
      for (Expired one : part) {
        if (deleted < BATCH && !store.isUsed(one.snapshot()) && deleteIfFree(one.snapshot())) {
          deleted++;
        }
      }
      part =
          part.size() < BATCH ? List.of() : store.schedules().expired(now, part.getLast(), BATCH);
    }
    return deleted;
  }

  private boolean deleteIfFree(VolumeId snapshot) {
    try {
      volumes.deleteForGood(snapshot);
      own.done(EXPIRE, 1);
      return true;
    } catch (VasaException e) {
      if (e.fault() instanceof Fault.ResourceInUse || e.fault() instanceof Fault.NotFound) {
        return false;
      }
      own.failed(EXPIRE, snapshot.toString(), String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /// The time for which the snapshot that is due longest has been due; zero if none is.
  public Duration lag() {
    Instant now = store.seen();
    return store
        .schedules()
        .firstDue()
        .filter(due -> due.isBefore(now))
        .map(due -> Duration.between(due, now))
        .orElse(Duration.ZERO);
  }

  /// The schedule as shown: with the times that the machine's clock gives now.
  public SnapshotSchedule shown(SnapshotSchedule schedule) {
    Instant last = schedule.last();
    return new SnapshotSchedule(
        schedule.volume(),
        schedule.interval(),
        schedule.retention(),
        schedule.enabled(),
        schedule.retentionEnabled(),
        store.time().onTheClock(schedule.since()),
        store.time().onTheClock(schedule.next()),
        last == null ? null : store.time().onTheClock(last),
        schedule.lastError());
  }

  /// The first schedules, as kept and not as [#shown].
  ///
  /// @param order by `vvol`, by `interval` or by `next`
  public List<SnapshotSchedule> page(RowOrder order, int limit) {
    return store.schedules().page(order, limit);
  }

  public int count() {
    return store.schedules().count();
  }

  /// @throws VasaException (NotFound) if the volume has no schedule
  public SnapshotSchedule require(VolumeId volume) {
    return store
        .schedules()
        .find(volume)
        .map(this::shown)
        .orElseThrow(() -> VasaException.notFound(volume + " has no snapshot schedule"));
  }

  /// Switches the taking and the deleting of snapshots on and off. A volume with either one off is
  /// not compliant.
  ///
  /// @throws VasaException (NotFound) if the volume has no schedule
  public SnapshotSchedule enable(VolumeId volume, boolean enabled, boolean retentionEnabled) {
    store
        .log()
        .inTransaction(
            () -> {
              SnapshotSchedule before = require(volume);
              store.schedules().enable(volume, enabled, retentionEnabled);
              if (before.enabled() != enabled || before.retentionEnabled() != retentionEnabled) {
                note(volume, enabled, retentionEnabled);
              }
            });
    return require(volume);
  }

  private void note(VolumeId id, boolean taking, boolean deleting) {
    Optional<VirtualVolume> volume = store.rows().find(id);
    NewChange change =
        NewChange.of(
            ChangeTopic.POLICY,
            ChangeKind.UPDATE,
            new NewChange.Subject(ObjectType.SCHEDULE, id.toString(), "ScheduleUpdate"),
            Map.of(
                "volume",
                volume.map(VolumeChanges::name).orElse(id.toString()),
                "taking",
                taking ? "on" : "off",
                "deleting",
                deleting ? "on" : "off"));
    store.changes().append(volume.map(one -> change.in(one.container())).orElse(change));
  }
}
