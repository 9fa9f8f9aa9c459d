package io.coppice.vasa.volume;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// The array's snapshots: takes those that are due and deletes those whose time is over.
///
/// The rows of the schedules are the queue. A run is marked done in the transaction that makes its
/// snapshots final, so a crash repeats a run and never loses one. Runs that were missed while
/// nothing ran are made up for by one, and the rhythm goes on as before.
@Service
public final class SnapshotSchedules {

  private static final Logger log = LoggerFactory.getLogger(SnapshotSchedules.class);

  private static final int BATCH = 1000;
  private static final Duration RETRY = Duration.ofSeconds(60);

  private final VolumeStore store;
  private final Snapshots snapshots;
  private final VirtualVolumes volumes;

  public SnapshotSchedules(VolumeStore store, Snapshots snapshots, VirtualVolumes volumes) {
    this.store = store;
    this.snapshots = snapshots;
    this.volumes = volumes;
  }

  /// Takes all snapshots that are due. Volumes of one virtual machine that are due together are one
  /// consistency group.
  ///
  /// @return how many were taken
  public int takeDue() {
    Instant now = store.now();
    Map<String, List<SnapshotSchedule>> groups = new LinkedHashMap<>();
    for (SnapshotSchedule schedule : store.schedules().due(now, BATCH)) {
      groups.computeIfAbsent(groupOf(schedule), _ -> new ArrayList<>()).add(schedule);
    }
    int taken = 0;
    for (List<SnapshotSchedule> group : groups.values()) {
      for (int from = 0; from < group.size(); from += StorageEngine.MAX_GROUP) {
        int to = Math.min(group.size(), from + StorageEngine.MAX_GROUP);
        taken += take(group.subList(from, to), now);
      }
    }
    return taken;
  }

  private String groupOf(SnapshotSchedule schedule) {
    return store
        .rows()
        .find(schedule.volume())
        .map(volume -> volume.metadata().get("VMW_VmID"))
        .orElse(schedule.volume().toString());
  }

  private int take(List<SnapshotSchedule> due, Instant now) {
    List<SnapshotSchedule> group = new ArrayList<>(due);
    group.removeIf(schedule -> skipped(schedule, now));
    return group.isEmpty() ? 0 : takeTogether(group, now);
  }

  /// Skips one turn of a volume that nobody may snapshot now, and says why; the others of its group
  /// are taken.
  private boolean skipped(SnapshotSchedule schedule, Instant now) {
    try {
      store.checkNotCopiedTo(schedule.volume());
      return false;
    } catch (VasaException e) {
      String reason = "skipped: " + e.getMessage();
      store.schedules().failed(schedule.volume(), reason, next(schedule, now));
      log.atWarn()
          .addKeyValue("volume", schedule.volume())
          .addKeyValue("reason", reason)
          .log("a scheduled snapshot was skipped");
      return true;
    }
  }

  private int takeTogether(List<SnapshotSchedule> group, Instant now) {
    try {
      snapshots.takeNow(
          group.stream().map(SnapshotSchedule::volume).toList(),
          VolumeOrigin.SCHEDULE,
          Map.of("VMW_VVolName", "scheduled " + now),
          () ->
              group.forEach(
                  schedule ->
                      store
                          .schedules()
                          .taken(schedule.volume(), now, schedule.next(), next(schedule, now))));
      return group.size();
    } catch (VasaException e) {
      String reason = String.valueOf(e.getMessage());
      Instant retry = now.plus(RETRY);
      group.forEach(schedule -> store.schedules().failed(schedule.volume(), reason, retry));
      log.atWarn()
          .addKeyValue("volumes", group.size())
          .addKeyValue("reason", reason)
          .log("scheduled snapshots were not taken");
      return 0;
    }
  }

  /// The first time of the rhythm that is still to come.
  private static Instant next(SnapshotSchedule schedule, Instant now) {
    long missed = Duration.between(schedule.next(), now).dividedBy(schedule.interval());
    return schedule.next().plus(schedule.interval().multipliedBy(missed + 1));
  }

  /// Deletes scheduled snapshots whose time is over; one that is bound or exported waits.
  ///
  /// @return how many were deleted
  public int deleteExpired() {
    int deleted = 0;
    for (VolumeId snapshot : store.schedules().expired(store.now(), BATCH)) {
      try {
        volumes.delete(snapshot);
        deleted++;
      } catch (VasaException e) {
        if (!(e.fault() instanceof Fault.ResourceInUse || e.fault() instanceof Fault.NotFound)) {
          throw e;
        }
      }
    }
    return deleted;
  }

  /// All schedules.
  public List<SnapshotSchedule> list() {
    return store.schedules().list();
  }

  /// Schedules by volume.
  public Map<VolumeId, SnapshotSchedule> byVolume() {
    Map<VolumeId, SnapshotSchedule> schedules = new HashMap<>();
    list().forEach(schedule -> schedules.put(schedule.volume(), schedule));
    return schedules;
  }

  /// @throws VasaException (NotFound) if the volume has no schedule
  public SnapshotSchedule require(VolumeId volume) {
    return store
        .schedules()
        .find(volume)
        .orElseThrow(() -> VasaException.notFound(volume + " has no snapshot schedule"));
  }

  /// Switches the taking and the deleting of snapshots on and off. What is off makes the volume
  /// non-compliant.
  ///
  /// @throws VasaException (NotFound) if the volume has no schedule
  public SnapshotSchedule enable(VolumeId volume, boolean enabled, boolean retentionEnabled) {
    store.schedules().enable(volume, enabled, retentionEnabled);
    return require(volume);
  }
}
