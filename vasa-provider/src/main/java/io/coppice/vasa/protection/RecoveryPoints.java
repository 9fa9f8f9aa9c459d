package io.coppice.vasa.protection;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The recovery points of protected groups. A point is the snapshots that carry its id as that of
/// their cut, and a row. The row comes in the transaction that makes the snapshots final, and goes
/// after the last of them. A crash between leaves a point with fewer snapshots, or with none: the
/// next look at its group removes that ([#settle]).
///
/// What a rule gives up is deleted for good. What a person deletes goes into the recycle bin, and
/// with the last snapshot the point does. It comes back with the first one that is restored, as a
/// point that no rule gives up: else it would go again with the next look.
///
/// If a rule locks the point, the row says until when, and that it is still to be done; the locks
/// follow at once. A crash between leaves that to the next round. To lock twice changes nothing.
@Service
public final class RecoveryPoints {

  private final PointRows rows;
  private final GroupVolumes members;
  private final VolumeStore store;
  private final Snapshots snapshots;
  private final VirtualVolumes volumes;
  private final LockedSnapshots locks;
  private volatile boolean unfinished = true;

  public RecoveryPoints(
      JdbcClient jdbc,
      VolumeStore store,
      Snapshots snapshots,
      VirtualVolumes volumes,
      RecycleBin bin,
      LockedSnapshots locks) {
    this.locks = locks;
    this.rows = new PointRows(jdbc);
    this.members = new GroupVolumes(store);
    this.store = store;
    this.snapshots = snapshots;
    this.volumes = volumes;
    bin.whenRestored(this::restored);
  }

  private void restored(VirtualVolume one) {
    String point = one.metadata().get(SnapshotChoice.GROUP_KEY);
    if (point != null && one.snapshot() && one.origin() == VolumeOrigin.ADMIN) {
      rows.bringBack(point);
    }
  }

  /// Takes a point.
  ///
  /// @param lock how long its snapshots are locked; zero for not at all
  /// @param alsoConclude runs in the transaction that makes it final
  /// @throws VasaException (NotFound) if the group has no volumes; otherwise as [Snapshots#takeNow]
  KeptPoint take(
      ProtectedGroup group,
      RecoveryPoint point,
      String name,
      Duration lock,
      Runnable alsoConclude) {
    List<VolumeId> taken = members.of(group.members());
    if (taken.isEmpty()) {
      throw VasaException.notFound(
          "expected volumes in protection group '%s', but it has none".formatted(group.name()));
    }
    Instant end = lock.isZero() ? null : locks.endOf(lock);
    List<VolumeId> made =
        snapshots.takeNow(
            taken,
            VolumeOrigin.ADMIN,
            Map.of(VolumeChoice.NAME_KEY, name, SnapshotChoice.GROUP_KEY, point.id().toString()),
            () -> {
              rows.insert(group.id(), point, name, end);
              store
                  .changes()
                  .append(
                      ProtectionChanges.of(
                          new KeptPoint(point, group.id(), name, List.of()),
                          ChangeKind.NEW,
                          group.name()));
              alsoConclude.run();
            });
    if (end != null) {
      boolean before = unfinished;
      unfinished = true; // until it is done
      lock(point.id(), made, end);
      unfinished = before;
    }
    return new KeptPoint(point, group.id(), name, made);
  }

  private void lock(UUID point, List<VolumeId> made, Instant end) {
    made.forEach(snapshot -> locks.lockAtLeast(snapshot, end));
    rows.locked(point);
  }

  /// Locks what was to be locked when the process ended or the pool failed. Asks the database only
  /// if there may be such points.
  void lockTheRest() {
    if (!unfinished) {
      return;
    }
    rows.toLock()
        .forEach((id, end) -> rows.find(id).forEach(point -> lock(id, point.snapshots(), end)));
    unfinished = false;
  }

  /// Locks the snapshots of a point, or lengthens their locks. The caller has the turn of its
  /// group.
  ///
  /// @throws VasaException as [LockedSnapshots#lock]; those before the one that fails stay locked
  void lock(KeptPoint point, Instant until) {
    point.snapshots().stream()
        .map(locks::lockedUntil)
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .filter(until::isBefore)
        .ifPresent(latest -> locks.lock(latestOf(point, latest), until)); // refuses it before any
    for (VolumeId snapshot : point.snapshots()) {
      locks.lock(snapshot, until);
    }
  }

  private VolumeId latestOf(KeptPoint point, Instant latest) {
    return point.snapshots().stream()
        .filter(one -> locks.lockedUntil(one).filter(latest::equals).isPresent())
        .findFirst()
        .orElse(point.snapshots().getFirst());
  }

  /// The time until which all snapshots of a point are locked, by the lock time of the pool; absent
  /// if one is not.
  public Optional<Instant> lockedUntil(KeptPoint point) {
    List<Instant> ends =
        point.snapshots().stream().map(locks::lockedUntil).flatMap(Optional::stream).toList();
    return ends.size() < point.snapshots().size()
        ? Optional.empty()
        : ends.stream().min(Comparator.naturalOrder());
  }

  /// The points of a group, the oldest first.
  List<KeptPoint> of(UUID group) {
    return rows.of(group);
  }

  /// Makes the rows of a group agree with its snapshots. Points without one go: it was their last
  /// one, or a person or vCenter deleted it. Points in the bin go when that has purged them, and
  /// come back if a crash came between a snapshot's way back and theirs.
  void settle(ProtectedGroup group) {
    for (KeptPoint point : rows.of(group.id())) {
      if (point.snapshots().isEmpty()) {
        forget(point, group.name());
      }
    }
    for (KeptPoint point : rows.aside(group.id())) {
      UUID id = point.point().id();
      if (!point.snapshots().isEmpty()) {
        rows.bringBack(id.toString());
      } else if (!rows.isBinned(id)) {
        rows.delete(id);
      }
    }
  }

  private void forget(KeptPoint point, String group) {
    UUID id = point.point().id();
    store
        .log()
        .inTransaction(
            () -> {
              if (rows.isBinned(id)) {
                rows.putAside(id);
              } else {
                rows.delete(id);
              }
              store.changes().append(ProtectionChanges.of(point, ChangeKind.DELETE, group));
            });
  }

  /// Deletes the snapshots of a point that nobody uses for good; the others stay.
  ///
  /// @return whether none is left
  boolean giveUp(KeptPoint point) {
    return delete(point, true);
  }

  private boolean delete(KeptPoint point, boolean purge) {
    boolean none = true;
    for (VolumeId snapshot : point.snapshots()) {
      none &= !store.isUsed(snapshot) && deleteIfFree(snapshot, purge);
    }
    return none;
  }

  private boolean deleteIfFree(VolumeId snapshot, boolean purge) {
    try {
      if (purge) {
        volumes.deleteForGood(snapshot);
      } else {
        volumes.delete(snapshot);
      }
      return true;
    } catch (VasaException e) {
      return switch (e.fault()) {
        case Fault.NotFound _ -> true;
        case Fault.ResourceInUse _ -> false;
        default -> throw e;
      };
    }
  }

  /// Deletes points with their snapshots; the caller has the turn of their group.
  ///
  /// @param group its name
  /// @param purge whether they go at once, past the recycle bin
  /// @throws VasaException (ResourceInUse) if a snapshot is bound, exported or being copied:
  ///   nothing is deleted then, unless that has begun meanwhile
  void delete(List<KeptPoint> points, String group, boolean purge) {
    for (KeptPoint point : points) {
      point.snapshots().stream()
          .filter(store::isUsed)
          .findFirst()
          .ifPresent(one -> refuse(point, one));
    }
    for (KeptPoint point : points) {
      if (!delete(point, purge)) {
        refuse(point, point.snapshots().getFirst());
      }
      forget(point, group);
    }
  }

  private void refuse(KeptPoint point, VolumeId snapshot) {
    store
        .lockedUntil(snapshot)
        .ifPresent(
            until -> {
              throw FaultTranslation.of(
                  new StorageException.Locked(
                      "expected recovery point %s without locked snapshots, but snapshot %s is locked until %s"
                          .formatted(point.point().id(), snapshot, until),
                      until));
            });
    throw new VasaException(
        new Fault.ResourceInUse(),
        "expected recovery point %s without snapshots in use, but snapshot %s is bound, exported or being copied"
            .formatted(point.point().id(), snapshot));
  }

  /// @throws VasaException (NotFound) if it is unknown
  public KeptPoint require(UUID id) {
    return rows.find(id).stream()
        .findFirst()
        .orElseThrow(() -> VasaException.notFound("there is no recovery point " + id));
  }

  /// The first points of an order.
  ///
  /// @param order by `taken`, which is the time that has passed, or by `name`
  public List<KeptPoint> page(PointChoice choice, RowOrder order, int limit) {
    return rows.page(choice, order, limit);
  }

  public int count(PointChoice choice) {
    return rows.count(choice);
  }

  /// When the youngest point of each group was taken, by the machine's clock; groups without one
  /// are left out.
  public Map<UUID, Instant> youngest(Collection<UUID> groups) {
    Map<UUID, Instant> found = rows.youngest(groups);
    found.replaceAll((_, taken) -> onTheClock(taken));
    return found;
  }

  /// A time of a point, by the machine's clock as it goes now.
  public Instant onTheClock(Instant taken) {
    return store.time().onTheClock(taken);
  }
}
