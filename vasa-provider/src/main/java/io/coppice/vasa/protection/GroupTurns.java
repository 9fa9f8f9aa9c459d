package io.coppice.vasa.protection;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Turns at protected groups: a round and a request never change one at the same time. Locks in
/// memory suffice, since one process has the pool open. A turn is the outermost lock; those of
/// volumes come after it.
final class GroupTurns {

  private final ConcurrentHashMap<UUID, ReentrantLock> locks = new ConcurrentHashMap<>();

  /// The result of work on a group, after that of others has ended.
  <T> T alone(UUID group, Supplier<T> work) {
    ReentrantLock lock = locks.computeIfAbsent(group, _ -> new ReentrantLock());
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /// Does work on a group unless somebody else is at it.
  void doIfFree(UUID group, Runnable work) {
    ReentrantLock lock = locks.computeIfAbsent(group, _ -> new ReentrantLock());
    if (lock.tryLock()) {
      try {
        work.run();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Forgets a group that is gone. Ids do not come again, so those who still wait find no group.
  void forget(UUID group) {
    locks.remove(group);
  }
}
