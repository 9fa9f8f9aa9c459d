package io.coppice.engine.core;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.change.ChangeCommand;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.state.LockRules;
import io.coppice.engine.state.LockTime;
import io.coppice.engine.state.VolumeState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The locks of an open pool, and the way of nearly all changes into the log: a change that sets a
/// lock must find the lock time stored.
///
/// *What a crash leaves:* the lock time is stable before a change that sets a lock enters the log.
/// So the next open goes on from a time at which the lock had its whole length before it. A crash
/// between the two leaves a lock time that nothing needs.
final class PoolLocks implements SnapshotLocks {

  private static final Logger LOGGER = System.getLogger(PoolLocks.class.getName());
  private static final Duration KEEPING = Duration.ofMinutes(1);

  private final OpenPool pool;
  private final LockTime time;
  private final LockRules rules;
  private final Object storing = new Object();
  private Instant stored; // guarded by storing

  /// The time and the rules of a pool.
  record Parts(LockTime time, LockRules rules) {}

  PoolLocks(OpenPool pool, Parts parts) {
    this.pool = pool;
    time = parts.time;
    rules = parts.rules;
    stored = time.now();
  }

  @Override
  public Instant now() {
    return time.now();
  }

  @Override
  public Optional<Instant> lockedUntil(VolumeInfo volume) {
    return rules.lockedUntil(volume);
  }

  @Override
  public List<VolumeInfo> locked() {
    return pool.state().volumes().stream()
        .map(VolumeState::info)
        .filter(volume -> lockedUntil(volume).isPresent())
        .toList();
  }

  @Override
  public VolumeInfo lock(OperationId operation, VolumeId snapshot, Instant until) {
    Instant end = until.truncatedTo(ChronoUnit.SECONDS);
    Instant whole = end.equals(until) ? end : end.plusSeconds(1);
    Change change =
        new Change.Attributes(operation, snapshot, Map.of(ATTRIBUTE, whole.toString()), Set.of());
    return volume(submit(change), operation);
  }

  /// Makes a change.
  OperationResult submit(Change change) {
    prepare(change);
    return command(change);
  }

  /// Stores the lock time if the change sets a lock.
  void prepare(Change change) {
    if (LockRules.locks(change)) {
      store();
    }
  }

  private OperationResult command(Change change) {
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().execute(command);
    return command.await(null);
  }

  static VolumeInfo volume(OperationResult result, OperationId operation) {
    return volumes(result, operation).getFirst();
  }

  static List<VolumeInfo> volumes(OperationResult result, OperationId operation) {
    if (result instanceof OperationResult.Volumes(var volumes)) {
      return volumes;
    }
    throw otherCall(operation);
  }

  static StorageException otherCall(OperationId operation) {
    return new StorageException.InvalidRequest(
        "Operation id %s was used by another call.".formatted(operation));
  }

  @Override
  public void keep() {
    synchronized (storing) {
      Instant now = time.now();
      if (now.isBefore(stored.plus(KEEPING))) {
        return;
      }
      if (isAnyLocked()) {
        store();
      } else {
        stored = now; // the first lock stores it
      }
    }
  }

  private boolean isAnyLocked() {
    return pool.state().volumes().stream()
        .anyMatch(volume -> lockedUntil(volume.info()).isPresent());
  }

  private void store() {
    synchronized (storing) {
      Instant now = time.now();
      command(
          new Change.Records(
              OperationId.random(), List.of(new RecordChange.Put(RECORD, LockTime.text(now)))));
      stored = now;
    }
  }

  /// Stores the lock time before the pool is closed. A pool that takes no more changes goes on from
  /// the time that was stored before.
  void storeLast() {
    try {
      if (isAnyLocked()) {
        store();
      }
    } catch (StorageException e) {
      LOGGER.log(Level.WARNING, "The lock time could not be stored: locks hold longer.", e);
    }
  }
}
