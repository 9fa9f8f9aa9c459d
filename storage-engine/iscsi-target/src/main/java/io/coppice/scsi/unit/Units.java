package io.coppice.scsi.unit;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolStatus;
import io.coppice.scsi.limit.FairQueues;
import io.coppice.scsi.limit.UnitLimiter;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.reservation.ReservationRecords;
import io.coppice.scsi.setting.ScsiSettings;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The logical units of volumes that somebody reaches, one per volume. Safe for any thread.
public final class Units {

  private final StorageEngine engine;
  private final ScsiSettings.Identity identity;
  private final ReservationRecords reservations;
  private final FairQueues queues;
  private final SoftThreshold threshold;
  private final InstantSource clock;
  private final ConcurrentHashMap<VolumeId, VolumeUnit> byVolume = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<NetworkAddress, VolumeUnit> byName = new ConcurrentHashMap<>();

  /// The volumes that are held off, also those without a unit; changes with the directory's lock.
  private final Set<VolumeId> suspended = ConcurrentHashMap.newKeySet();

  private final PhaseHistograms reads = new PhaseHistograms();
  private final PhaseHistograms writes = new PhaseHistograms();

  /// The traffic of closed units; guarded by the lock of this object, so that a sum never shrinks.
  private Traffic closed = Traffic.NONE;

  /// The offloads of closed units; guarded likewise.
  private final OffloadSum closedOffloads = new OffloadSum();

  public Units(
      StorageEngine engine,
      ScsiSettings.Identity identity,
      ReservationRecords reservations,
      FairQueues queues,
      SoftThreshold threshold,
      InstantSource clock) {
    this.clock = clock;
    this.threshold = threshold;
    this.engine = engine;
    this.queues = queues;
    this.reservations = reservations;
    this.identity = identity;
  }

  /// The reason why no unit serves I/O, if the pool has stopped.
  Optional<String> outOfService() {
    PoolStatus status = engine.status();
    return status.isStopped() ? Optional.of(status.reason()) : Optional.empty();
  }

  /// Makes the unit of a volume, or uses the existing one; nothing if there is no such volume.
  public void open(VolumeId volume, boolean readOnly) {
    VolumeUnit open =
        byVolume.computeIfAbsent(
            volume,
            id -> {
              VolumeUnit unit;
              try {
                Volume opened = engine.open(id);
                unit =
                    new VolumeUnit(
                        opened,
                        identity.addressOf(id),
                        new UnitReservations(id, reservations),
                        new UnitLimiter(opened, queues),
                        threshold,
                        new ReadsAndWrites(reads, writes),
                        new ReachLog(clock));
              } catch (StorageException.NotFound e) {
                return null; // deleted behind our back: its LUN answers like one without a unit
              }
              unit.readOnly(readOnly);
              unit.suspended(suspended.contains(id));
              byName.put(unit.naa(), unit);
              return unit;
            });
    if (open != null) {
      open.readOnly(readOnly);
    }
  }

  /// Holds initiators off the medium of a volume, or no longer. Also holds for a unit that opens
  /// meanwhile. Called with the directory's lock.
  public void suspend(VolumeId volume, boolean hold) {
    if (hold) {
      suspended.add(volume);
    } else {
      suspended.remove(volume);
    }
    of(volume).ifPresent(unit -> unit.suspended(hold));
  }

  public synchronized void close(VolumeId volume) {
    VolumeUnit unit = byVolume.remove(volume);
    if (unit != null) {
      byName.remove(unit.naa(), unit);
      closed = closed.plus(unit.traffic().counts());
      closedOffloads.add(unit.ledger());
    }
  }

  public Optional<VolumeUnit> of(VolumeId volume) {
    return Optional.ofNullable(byVolume.get(volume));
  }

  /// All open units.
  public Collection<VolumeUnit> all() {
    return byVolume.values();
  }

  /// The traffic of every unit that somebody reaches.
  public Map<VolumeId, Traffic> traffic() {
    Map<VolumeId, Traffic> all = new HashMap<>();
    byVolume.forEach((volume, unit) -> all.put(volume, unit.traffic().counts()));
    return all;
  }

  /// The traffic of every unit that there ever was.
  public synchronized Traffic trafficInAll() {
    return traffic().values().stream().reduce(closed, Traffic::plus);
  }

  /// The reads of every unit that there ever was, by how long their phases took.
  public PhaseCounts readPhases() {
    return reads.counts();
  }

  /// The writes of every unit that there ever was, by how long their phases took.
  public PhaseCounts writePhases() {
    return writes.counts();
  }

  /// The initiators that have reached a volume; none if nobody reaches it any more.
  public List<ReachLog.Visitor> reachesOf(VolumeId volume) {
    return of(volume).map(unit -> unit.reached().all()).orElseGet(List::of);
  }

  /// The ledgers of every unit that somebody reaches.
  public Map<VolumeId, OffloadLedger> ledgers() {
    Map<VolumeId, OffloadLedger> all = new HashMap<>();
    byVolume.forEach((volume, unit) -> all.put(volume, unit.ledger()));
    return all;
  }

  /// The offloads to every unit that there ever was.
  public synchronized Map<OffloadLedger.Kind, OffloadLedger.Entry> offloadsInAll() {
    OffloadSum sum = new OffloadSum();
    sum.add(closedOffloads);
    ledgers().values().forEach(sum::add);
    return sum.entries();
  }

  public Optional<VolumeUnit> named(NetworkAddress naa) {
    return Optional.ofNullable(byName.get(naa));
  }
}
