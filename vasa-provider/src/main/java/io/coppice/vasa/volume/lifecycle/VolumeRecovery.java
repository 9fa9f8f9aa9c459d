package io.coppice.vasa.volume.lifecycle;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.scsi.ScsiTarget;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.step.Progress;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.RecoveryFinding.Kind;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/// The recovery of volumes. It settles operations that were cut short, and makes rows and pool
/// agree.
///
/// The pool decides. Only a volume whose attributes name an operation that still has a row is
/// removed; every other volume without a row is adopted. Each operation is settled first in the
/// pool, then in one transaction that ends it. So settling may itself be cut short and repeated.
///
/// | Kind | In the pool | Settled by |
/// |---|---|---|
/// | CREATE | volume that names it as its maker | delete the volume, take the row back |
/// | CREATE, SNAPSHOT | volume that names no maker | keep it ([#removeMarks]) |
/// | CREATE | none | take the row back |
/// | SNAPSHOT | snapshots made by it | delete them and their rows |
/// | SNAPSHOT | none | prepared again, or rows taken back |
/// | DELETE | still there | nothing happened |
/// | DELETE | none | row removed |
/// | BIN, RESTORE | in the bin or not | row agrees with the pool |
/// | RESIZE, POLICY, METADATA | changed or not | row agrees with the pool |
/// | REVERT, COPY_DIFFS | remembered or not | the task shows which; never carried out late |
@Component
public final class VolumeRecovery {

  private static final int MARKS_AT_ONCE = 500;

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final Tasks tasks;
  private final Progress progress = new Progress();
  private final AtomicLong hidden = new AtomicLong(); // how often a volume was found out of use
  private volatile long agreed; // as `hidden` was when no row was out of use

  public VolumeRecovery(VolumeStore store, Containers containers, Tasks tasks) {
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.tasks = tasks;
  }

  /// The progress of [#settleAll] or [#agreeWithPool], if one of them goes on.
  public Progress progress() {
    return progress;
  }

  /// Settles every operation that has begun. Calls have ended by then. If one still runs, settling
  /// waits for its locks and leaves it alone; background copies are left alone too.
  public List<RecoveryFinding> settleAll() {
    List<VolumeOperation> begun = store.log().begun();
    return progress.over("operations", begun, operation -> settle(operation).stream());
  }

  /// Settles operations whose last step failed for want of the database while the process lived.
  public List<RecoveryFinding> settleUnsettled() {
    return store.log().unsettled().stream()
        .flatMap(operation -> settle(operation).stream())
        .toList();
  }

  /// Makes rows for volumes without one, and removes rows without a volume. A mismatch gets a
  /// second look under the volume's lock, because an operation may be at work on it. What the
  /// device server and replication keep for themselves has no row, or one that is out of use.
  public List<RecoveryFinding> agreeWithPool() {
    Map<VolumeId, VirtualVolume> rows = new HashMap<>();
    store.bin().allInEveryState().forEach(row -> rows.put(row.id(), row));
    List<VolumeId> suspects = new ArrayList<>();
    for (VolumeInfo info : engine.list()) {
      VirtualVolume row = rows.remove(info.id());
      if (isHidden(info)) {
        hidden.incrementAndGet();
        if (row != null && row.state() != VvolState.CARRIER) {
          suspects.add(info.id());
        }
        continue;
      }
      if (PoolAttributes.marked(info)) {
        store.marked().add(info.id());
      }
      if (row == null || differs(row, info)) {
        suspects.add(info.id());
      }
    }
    suspects.addAll(rows.keySet());
    return progress.over("volumes that differ", suspects, volume -> agree(volume).stream());
  }

  /// Removes the name of their operation from volumes whose rows are final. From then on no row of
  /// an operation has them removed, not even one that an older copy of the database brings back.
  ///
  /// @return the number of volumes whose mark was removed
  public int removeMarks() {
    List<VolumeId> marked = store.marked().stream().limit(MARKS_AT_ONCE).toList();
    Set<VolumeId> ready = store.rows().ready(marked); // and stay so until they leave the pool
    int removed = 0;
    for (VolumeId volume : marked) {
      try (var _ = store.locks().hold(volume)) {
        Optional<VolumeInfo> info = engine.find(volume);
        if (info.isPresent() && ready.contains(volume)) {
          engine.setAttributes(OperationId.random(), volume, Map.of(), PoolAttributes.MARKS);
          removed++;
        }
        if (info.isEmpty() || ready.contains(volume)) {
          store.marked().remove(volume);
        }
      }
    }
    return removed;
  }

  /// Makes the row of one volume agree with the pool, after replication has made it a volume that
  /// everybody sees, or has taken it away.
  public void agreeOn(VolumeId volume) {
    agree(volume);
  }

  /// As [#agreeOn], all rows that are out of use though their volumes are not: cycles delete
  /// carriers, and volumes come back, whether or not the database is there.
  public void agreeOnCarriers() {
    long now = hidden.get();
    if (now == agreed) {
      return; // no row is out of use
    }
    List<VolumeId> carriers = store.rows().carriers();
    for (VolumeId volume : carriers) {
      if (engine.find(volume).filter(ReplicaAttributes::isCarrier).isEmpty()) {
        agree(volume);
      }
    }
    if (carriers.isEmpty()) {
      agreed = now;
    }
  }

  private static boolean isHidden(VolumeInfo info) {
    return ScsiTarget.holdsToken(info)
        || ReplicaAttributes.isCarrier(info)
        || ReplicaAttributes.isReplica(info);
  }

  private Optional<RecoveryFinding> agree(VolumeId volume) {
    try (var _ = store.locks().hold(volume)) {
      Optional<VirtualVolume> row = row(volume);
      Optional<VolumeInfo> info = engine.find(volume);
      if (info.filter(VolumeRecovery::isHidden).isPresent()) {
        store.hide(info.get());
        hidden.incrementAndGet();
        return Optional.empty();
      }
      if (row.isEmpty()) {
        return info.map(this::adopt);
      }
      if (info.isPresent()) {
        if (differs(row.get(), info.get())) {
          store.log().inTransaction(() -> refreshAll(info.get()));
        }
        return Optional.empty();
      }
      if (row.get().state() == VvolState.PREPARED) {
        return Optional.empty();
      }
      store.rows().delete(volume);
      if (row.get().state() == VvolState.CARRIER) {
        return Optional.empty(); // nobody missed it
      }
      return Optional.of(
          new RecoveryFinding(
              Kind.FORGOTTEN,
              volume,
              "virtual volume %s is not in the pool any more".formatted(volume),
              row.get().container()));
    }
  }

  private static boolean differs(VirtualVolume row, VolumeInfo info) {
    return row.state() != (PoolAttributes.isBinned(info) ? VvolState.BINNED : VvolState.READY)
        || row.sizeInBytes() != info.sizeInBytes()
        || row.thick() != info.reserved()
        || !row.metadata().equals(PoolAttributes.metadata(info));
  }

  private RecoveryFinding adopt(VolumeInfo info) {
    UUID container = PoolAttributes.container(info);
    store
        .log()
        .inTransaction(
            () -> {
              if (containers.find(container).isEmpty()) {
                containers.adopt(container, engine.space().capacity());
              }
              store.rows().insert(row(info, container), null);
              store.refresh(info);
            });
    return new RecoveryFinding(
        Kind.ADOPTED,
        info.id(),
        "volume %s of %d bytes was in the pool without a row and is now in container %s"
            .formatted(info.id(), info.sizeInBytes(), container),
        container);
  }

  private static VirtualVolume row(VolumeInfo info, UUID container) {
    return new VirtualVolume(
        info.id(),
        container,
        PoolAttributes.type(info),
        VvolState.READY,
        PoolAttributes.origin(info),
        info.kind() == VolumeKind.SNAPSHOT,
        info.sizeInBytes(),
        info.reserved(),
        info.origin(),
        PoolAttributes.profile(info).orElse(null),
        PoolAttributes.requirements(info),
        info.created().truncatedTo(ChronoUnit.MICROS),
        PoolAttributes.metadata(info));
  }

  private Optional<RecoveryFinding> settle(VolumeOperation operation) {
    List<VolumeId> volumes =
        Stream.concat(
                Stream.of(operation.volume(), operation.other(), operation.third())
                    .flatMap(Stream::ofNullable),
                store.rows().madeBy(operation.id()).stream().map(VirtualVolume::id))
            .toList();
    try (var _ = store.locks().hold(volumes.toArray(VolumeId[]::new))) {
      // In this order: a background copy ends its operation before it leaves the list.
      if (store.copies().containsKey(operation.id()) || !store.log().hasBegun(operation)) {
        return Optional.empty();
      }
      UUID container = // of the first: its row may not outlast what follows
          store.bin().inEveryState(volumes).stream()
              .findFirst()
              .map(VirtualVolume::container)
              .orElse(null);
      RecoveryFinding found =
          switch (operation.kind()) {
            case CREATE, SNAPSHOT -> unmake(operation);
            case DELETE -> settleDelete(operation);
            case BIN, RESTORE -> settleBin(operation);
            case RESIZE, POLICY, METADATA -> settleChange(operation);
            case REVERT, COPY_DIFFS -> settleOnce(operation);
          };
      return Optional.of(found.in(container));
    }
  }

  private RecoveryFinding unmake(VolumeOperation operation) {
    List<VirtualVolume> rows = store.rows().madeBy(operation.id());
    List<VirtualVolume> untouched = new ArrayList<>();
    List<VolumeInfo> kept = new ArrayList<>();
    for (VirtualVolume row : rows) {
      Optional<VolumeInfo> there = engine.find(row.id());
      if (there.filter(info -> isUnfinished(info, operation)).isPresent()) {
        engine.delete(operation.derived("unmake:" + row.id()), row.id());
        store.log().reached(operation, Step.UNDONE_IN_POOL);
      } else if (there.isPresent()) {
        kept.add(there.get());
      } else if (row.snapshot() && row.origin() == VolumeOrigin.HOST) {
        untouched.add(row);
      }
    }
    if (!kept.isEmpty()) {
      return keep(operation, kept);
    }
    String message =
        "%s of %s was cut short and has no effect"
            .formatted(verb(operation.kind()), operation.volume());
    end(
        operation,
        () -> {
          for (VirtualVolume row : rows) {
            if (untouched.contains(row)) {
              store.rows().setTaking(row.id(), null);
            } else {
              store.rows().delete(row.id());
            }
          }
          failTask(operation, message);
        });
    return new RecoveryFinding(Kind.ROLLED_BACK, operation.volume(), message);
  }

  /// Whether the operation made the volume and nothing came of it. A snapshot is locked only after
  /// its row is final, so the row that says otherwise comes from an older copy of the database.
  private boolean isUnfinished(VolumeInfo info, VolumeOperation operation) {
    return PoolAttributes.madeBy(info, operation.id())
        && engine.locks().lockedUntil(info).isEmpty();
  }

  /// Keeps the volumes. The operation had ended: its row comes from an older copy of the database.
  private RecoveryFinding keep(VolumeOperation operation, List<VolumeInfo> kept) {
    end(
        operation,
        () -> {
          kept.forEach(this::refreshAll);
          succeedTask(operation);
        });
    return new RecoveryFinding(
        Kind.FINISHED,
        operation.volume(),
        "%s of %s had ended and is kept; the database is an older copy"
            .formatted(verb(operation.kind()), operation.volume()));
  }

  private RecoveryFinding settleDelete(VolumeOperation operation) {
    VolumeId volume = operation.volume();
    if (engine.find(volume).isPresent()) {
      end(operation, () -> {});
      return new RecoveryFinding(
          Kind.ROLLED_BACK, volume, "the deletion of %s did not happen".formatted(volume));
    }
    end(operation, () -> store.rows().delete(volume));
    return new RecoveryFinding(
        Kind.FINISHED, volume, "the deletion of %s is finished".formatted(volume));
  }

  private Optional<VirtualVolume> row(VolumeId volume) {
    return store.bin().inEveryState(List.of(volume)).stream().findFirst();
  }

  private RecoveryFinding settleBin(VolumeOperation operation) {
    VolumeId volume = operation.volume();
    Optional<VolumeInfo> found = engine.find(volume);
    boolean binned = found.filter(PoolAttributes::isBinned).isPresent();
    boolean done = binned == (operation.kind() == VolumeOperation.Kind.BIN);
    end(
        operation,
        () -> {
          found.ifPresent(this::refreshAll);
          if (!binned) {
            store.bin().resumeSchedule(volume);
          }
        });
    return new RecoveryFinding(
        done ? Kind.FINISHED : Kind.ROLLED_BACK,
        volume,
        "%s of %s was cut short and %s"
            .formatted(verb(operation.kind()), volume, done ? "is finished" : "has no effect"));
  }

  /// Settles a change. The pool's state is what happened. A reservation that the recorded policy
  /// does not ask for is half a change of policy and is taken back.
  private RecoveryFinding settleChange(VolumeOperation operation) {
    VolumeId volume = operation.volume();
    Optional<VirtualVolume> before = row(volume);
    Optional<VolumeInfo> found = engine.find(volume);
    if (operation.kind() == VolumeOperation.Kind.POLICY) {
      found = found.map(info -> restoreReservation(operation, before, info));
      store.log().reached(operation, Step.UNDONE_IN_POOL);
    }
    Optional<VolumeInfo> now = found;
    boolean changed =
        before.isPresent()
            && now.isPresent()
            && (before.get().sizeInBytes() != now.get().sizeInBytes()
                || !before.get().metadata().equals(PoolAttributes.metadata(now.get()))
                || !Optional.ofNullable(before.get().profile())
                    .equals(PoolAttributes.profile(now.get())));
    String message =
        "%s of %s was cut short and %s"
            .formatted(verb(operation.kind()), volume, changed ? "is finished" : "has no effect");
    end(
        operation,
        () -> {
          now.ifPresent(this::refreshAll);
          if (changed) {
            succeedTask(operation);
          } else {
            failTask(operation, message);
          }
        });
    return new RecoveryFinding(changed ? Kind.FINISHED : Kind.ROLLED_BACK, volume, message);
  }

  /// Restores the reservation that the pool's policy asks for. If it asks for none, the former one.
  private VolumeInfo restoreReservation(
      VolumeOperation operation, Optional<VirtualVolume> before, VolumeInfo info) {
    Requirements requirements = PoolAttributes.requirements(info);
    boolean unchanged =
        before.isPresent()
            && Optional.ofNullable(before.get().profile()).equals(PoolAttributes.profile(info));
    boolean wanted =
        requirements.space() == null && unchanged ? before.get().thick() : requirements.thick();
    return (requirements.space() == null && !unchanged)
            || info.reserved() == wanted
            || info.kind() == VolumeKind.SNAPSHOT
        ? info
        : engine.reserve(operation.derived("restore:" + info.id()), info.id(), wanted);
  }

  /// Only reports what happened. An operation that did not happen is not repeated: its caller was
  /// not answered and may have done something else with the volume since.
  private RecoveryFinding settleOnce(VolumeOperation operation) {
    VolumeId volume = operation.volume();
    boolean done = engine.remembers(operation.id());
    String message =
        "%s of %s was cut short and %s"
            .formatted(verb(operation.kind()), volume, done ? "is finished" : undone(operation));
    end(
        operation,
        () -> {
          engine.find(volume).ifPresent(store::refresh);
          if (done) {
            succeedTask(operation);
          } else {
            failTask(operation, message);
          }
        });
    return new RecoveryFinding(done ? Kind.FINISHED : Kind.ROLLED_BACK, volume, message);
  }

  private static String undone(VolumeOperation operation) {
    return operation.kind() == VolumeOperation.Kind.COPY_DIFFS
        ? "may have copied a part; repeat it"
        : "has no effect";
  }

  private void refreshAll(VolumeInfo info) {
    Map<String, String> metadata = PoolAttributes.metadata(info);
    store.refresh(info);
    store
        .rows()
        .setPolicy(
            info.id(),
            PoolAttributes.profile(info).orElse(null),
            PoolAttributes.requirements(info));
    store.rows().replaceMetadata(info.id(), metadata);
  }

  private void end(VolumeOperation operation, Runnable last) {
    store.log().end(operation, last);
    store.log().reached(operation, Step.SETTLED);
  }

  private void succeedTask(VolumeOperation operation) {
    String task = operation.task();
    if (task != null) {
      tasks.succeed(task, new TaskResult.None());
      tasks.endIsDue(task);
    }
  }

  private void failTask(VolumeOperation operation, String message) {
    String task = operation.task();
    if (task != null) {
      tasks.fail(task, new Fault.StorageFault("io.coppice.fault.OperationUndone"), message);
      tasks.endIsDue(task);
    }
  }

  private static String verb(VolumeOperation.Kind kind) {
    return switch (kind) {
      case CREATE -> "the creation";
      case DELETE -> "the deletion";
      case BIN -> "the deletion into the recycle bin";
      case RESTORE -> "the restore from the recycle bin";
      case RESIZE -> "the resizing";
      case SNAPSHOT -> "the snapshot group";
      case REVERT -> "the revert";
      case COPY_DIFFS -> "the copy of differences";
      case POLICY -> "the change of policy";
      case METADATA -> "the change of metadata";
    };
  }
}
