package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Locks that keep two changes off one virtual volume, so that "not bound" still holds when the
/// engine is called. Locks in memory suffice: the pool's file lock admits one process.
///
/// Each volume has a lock of its own while somebody holds it or waits for it, so a long change
/// delays no other volume. Locks are taken in the order of ids. There is no deadlock as long as an
/// operation asks once for all locks that it needs.
@Component
public final class VolumeLocks {

  private final ConcurrentHashMap<VolumeId, Shared> locks = new ConcurrentHashMap<>();
  private final Duration patience;

  public VolumeLocks(LockSettings settings) {
    this.patience = settings.patience();
  }

  /// A lock, and the number of its holders and waiters, which changes only inside of the map.
  private static final class Shared {
    final ReentrantLock lock = new ReentrantLock();
    int users;
  }

  /// Locks that are held until closed, by the thread that took them.
  public final class Held implements AutoCloseable {
    private final Deque<VolumeId> volumes = new ArrayDeque<>();

    private Held() {}

    private boolean take(VolumeId volume, long nanos) throws InterruptedException {
      Shared shared = enter(volume);
      boolean taken = false;
      try {
        taken = shared.lock.tryLock(nanos, TimeUnit.NANOSECONDS);
      } finally {
        if (!taken) {
          leave(volume);
        }
      }
      if (taken) {
        volumes.push(volume);
      }
      return taken;
    }

    @Override
    public void close() {
      while (!volumes.isEmpty()) {
        VolumeId volume = volumes.pop();
        Objects.requireNonNull(locks.get(volume)).lock.unlock();
        leave(volume);
      }
    }
  }

  private Shared enter(VolumeId volume) {
    return locks.compute(
        volume,
        (_, known) -> {
          Shared shared = known == null ? new Shared() : known;
          shared.users++;
          return shared;
        });
  }

  private void leave(VolumeId volume) {
    locks.computeIfPresent(volume, (_, shared) -> --shared.users == 0 ? null : shared);
  }

  /// Whether the calling thread holds the lock of a volume.
  public boolean isHeldHere(VolumeId volume) {
    Shared shared = locks.get(volume);
    return shared != null && shared.lock.isHeldByCurrentThread();
  }

  /// The number of volumes that are held or waited for.
  int inUse() {
    return locks.size();
  }

  /// Takes the locks of `volumes`.
  ///
  /// @throws VasaException (VasaProviderBusy) if that takes longer than the settings' patience;
  ///   none is held then
  public Held hold(VolumeId... volumes) {
    return hold(
        List.of(volumes),
        patience,
        () -> VasaException.busy(sentence(patience) + "; repeat the call later"));
  }

  /// Takes the locks of `volumes`.
  ///
  /// @throws VasaException (Timeout) if that takes longer than `limit`; none is held then
  public Held hold(Collection<VolumeId> volumes, Duration limit) {
    return hold(volumes, limit, () -> new VasaException(new Fault.Timeout(), sentence(limit)));
  }

  private Held hold(Collection<VolumeId> volumes, Duration limit, Supplier<VasaException> refusal) {
    long deadline = System.nanoTime() + limit.toNanos();
    Held held = new Held();
    try {
      for (VolumeId volume : new TreeSet<>(volumes)) {
        if (!held.take(volume, deadline - System.nanoTime())) {
          held.close();
          throw refusal.get();
        }
      }
      return held;
    } catch (InterruptedException e) {
      held.close();
      Thread.currentThread().interrupt();
      throw refusal.get();
    }
  }

  private static String sentence(Duration limit) {
    return "another change of the same virtual volume did not end within %d ms"
        .formatted(limit.toMillis());
  }
}
