package io.coppice.vasa.replication.group;

import io.coppice.vasa.fault.VasaException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Locks of replication groups, by which changes of one group take turns. A lock is there while
/// somebody has it or waits for it: who comes and goes is counted in one step with the look into
/// the map, so nobody gets a lock that is forgotten. Safe for any thread.
final class GroupLocks {

  private static final long PATIENCE_SECONDS = 10;

  private final Map<UUID, Counted> locks = new ConcurrentHashMap<>();

  /// A lock and those who have it or wait for it, itself counted once for each call.
  private record Counted(ReentrantLock lock, int users) {

    Counted plus(int more) {
      return new Counted(lock, users + more);
    }
  }

  /// Does some work while nobody else changes a group.
  ///
  /// @throws VasaException (VasaProviderBusy) if somebody else is at it for too long; as a
  ///   [ReplicationException] of the work says
  <T> T alone(UUID group, Supplier<T> work) {
    ReentrantLock lock = join(group);
    try {
      take(group, lock);
      try {
        return GroupFailures.translated(work, () -> "");
      } finally {
        lock.unlock();
      }
    } finally {
      leave(group);
    }
  }

  private ReentrantLock join(UUID group) {
    return locks
        .merge(group, new Counted(new ReentrantLock(), 1), (known, _) -> known.plus(1))
        .lock();
  }

  private void leave(UUID group) {
    locks.computeIfPresent(group, (_, known) -> known.users() == 1 ? null : known.plus(-1));
  }

  private static void take(UUID group, ReentrantLock lock) {
    try {
      if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw VasaException.busy(
            "another change of replication group %s has not ended: repeat the call later"
                .formatted(group));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw VasaException.busy(
          "the wait for another change of a replication group was interrupted");
    }
  }

  /// How many locks somebody has or waits for.
  int size() {
    return locks.size();
  }
}
