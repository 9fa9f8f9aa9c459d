package io.coppice.vasa.volume.snapshot;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;

/// The locks of snapshots, as administrators and rules set them. The engine holds them.
///
/// A lock is one change of attributes in the log of operations. The pool's state is what happened:
/// after a crash nothing is to be undone, and a repeat changes nothing.
@Service
public final class LockedSnapshots {

  private final VolumeStore store;
  private final LockLimit limit;

  public LockedSnapshots(VolumeStore store, LockLimit limit) {
    this.store = store;
    this.limit = limit;
  }

  /// The lock time of the pool, by which locks end.
  public Instant now() {
    return store.engine().locks().now();
  }

  /// The end of a snapshot's lock, by the lock time of the pool; absent if it is not locked.
  public Optional<Instant> lockedUntil(VolumeId snapshot) {
    return store.lockedUntil(snapshot);
  }

  /// The ends of all locks, by the lock time of the pool.
  public List<Instant> ends() {
    SnapshotLocks all = store.engine().locks();
    return all.locked().stream().map(all::lockedUntil).flatMap(Optional::stream).toList();
  }

  /// The end of a lock that begins now.
  public Instant endOf(Duration length) {
    return wholeSeconds(now().plus(length));
  }

  private static Instant wholeSeconds(Instant time) {
    Instant seconds = time.truncatedTo(ChronoUnit.SECONDS);
    return seconds.equals(time) ? seconds : seconds.plusSeconds(1);
  }

  /// Locks a snapshot, or lengthens its lock.
  ///
  /// @param until by the lock time; parts of a second are rounded up
  /// @throws VasaException (NotFound) if it is unknown or only prepared; (NotSupported) if it is no
  ///   snapshot; (InvalidArgument) if the end is past or beyond [LockLimit]; (ResourceInUse) if it
  ///   is locked until later
  public VirtualVolume lock(VolumeId id, Instant until) {
    requirePossible(until);
    return locked(id, wholeSeconds(until));
  }

  /// @throws VasaException (InvalidArgument) if no lock may end then
  void requirePossible(Instant until) {
    Instant now = now();
    if (!until.isAfter(now)) {
      throw VasaException.invalidArgument(
              "expected a time after %s, which is the lock time now, got %s"
                  .formatted(now.truncatedTo(ChronoUnit.SECONDS), until))
          .about("until");
    }
    Duration longest = limit.longest();
    if (until.isAfter(now.plus(longest).plusSeconds(1))) {
      throw VasaException.invalidArgument(
              "expected a lock of at most %s, the longest one that is allowed, got one until %s"
                  .formatted(TimeText.iso(longest), until))
          .about("until");
    }
  }

  /// Locks a snapshot until a time at least, as a rule wanted it when the snapshot was made. One
  /// that is locked until later, or is gone, is left as it is.
  public void lockAtLeast(VolumeId id, Instant until) {
    boolean there = store.engine().find(id).isPresent();
    if (there && until.isAfter(now()) && lockedUntil(id).filter(until::isBefore).isEmpty()) {
      try {
        locked(id, until);
      } catch (VasaException e) {
        if (!(e.fault() instanceof Fault.NotFound)) {
          throw e;
        }
      }
    }
  }

  private VirtualVolume locked(VolumeId id, Instant end) {
    VolumeId[] both =
        Stream.concat(Stream.of(id), store.rows().find(id).map(VirtualVolume::parent).stream())
            .toArray(VolumeId[]::new);
    try (var _ = store.locks().hold(both)) {
      VirtualVolume snapshot = store.requireReady(id);
      if (!snapshot.snapshot()) {
        throw new VasaException(
            new Fault.NotSupported(), "expected a snapshot to lock, but %s is none".formatted(id));
      }
      Instant held = lockedUntil(id).orElse(Instant.MIN);
      if (held.isAfter(end)) {
        throw FaultTranslation.of(
            new StorageException.Locked(
                "snapshot %s is locked until %s: its lock can only be lengthened, got %s"
                    .formatted(id, held, end),
                held));
      }
      if (held.isBefore(end)) {
        write(snapshot, end);
      }
      return snapshot;
    }
  }

  private void write(VirtualVolume snapshot, Instant end) {
    VolumeId id = snapshot.id();
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.METADATA, id);
    OperationId run = operation.id();
    Map<String, String> lock = Map.of(SnapshotLocks.ATTRIBUTE, end.toString());
    store
        .log()
        .run(
            operation,
            OperationLog.Steps.of(
                () -> store.engine().setAttributes(run, id, lock, Set.of()),
                _ ->
                    store
                        .changes()
                        .append(
                            VolumeChanges.of(
                                snapshot,
                                ChangeKind.UPDATE,
                                "Locked",
                                Map.of("until", end.toString())))));
  }
}
