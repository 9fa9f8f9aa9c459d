package io.coppice.admin.edition;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The turns of changes that REST makes of one object, for objects without a lock of their own.
/// Memory suffices, as only one process has the pool open, and only REST changes these objects. A
/// turn is the outermost lock, and nobody waits for a second one.
@Component
public final class Turns {

  private final ConcurrentHashMap<String, Shared> locks = new ConcurrentHashMap<>();

  /// A lock, and the number of its holders and waiters, which changes only inside of the map.
  private static final class Shared {
    final ReentrantLock lock = new ReentrantLock();
    int users;
  }

  /// The result of a change, made while no other one of the object is.
  ///
  /// @param kind of the object, as in its path, such as `containers`
  public <T> T alone(String kind, Object id, Supplier<T> change) {
    String object = kind + "/" + id;
    Shared turn = Objects.requireNonNull(locks.compute(object, (_, known) -> entered(known)));
    turn.lock.lock();
    try {
      return change.get();
    } finally {
      turn.lock.unlock();
      locks.computeIfPresent(object, (_, shared) -> --shared.users == 0 ? null : shared);
    }
  }

  /// Makes a change while no other one of the object is made.
  public void doAlone(String kind, Object id, Runnable change) {
    alone(
        kind,
        id,
        () -> {
          change.run();
          return change;
        });
  }

  private static Shared entered(@Nullable Shared known) {
    Shared shared = known == null ? new Shared() : known;
    shared.users++;
    return shared;
  }
}
