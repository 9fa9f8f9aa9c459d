package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The runner of changes: one at a time, and each operation once. A repeat gets the first result.
/// The results of the last [#REMEMBERED] operations are known. The pool itself catches repeats of
/// older ones, or from before a restart.
final class IdempotentChanges {

  private static final int REMEMBERED = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<OperationId, Object> results = // guarded by lock
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<OperationId, Object> eldest) {
          return size() > REMEMBERED;
        }
      };

  /// The lock, as long as it is held.
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /// Lets no other thread make a change until the result is closed.
  Held locked() {
    lock.lock();
    return lock::unlock;
  }

  /// @param type of the result
  <T> T run(OperationId operation, Class<T> type, Supplier<T> change) {
    try (var _ = locked()) {
      Object earlier = results.get(operation);
      if (type.isInstance(earlier)) {
        return type.cast(earlier);
      }
      T result = change.get();
      results.put(operation, result);
      return result;
    }
  }
}
