package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/// Keeps two changes off one virtual volume, so that "not bound" still holds when the engine is
/// called. Locks in memory suffice: the pool's file lock admits one process.
///
/// Volumes share a fixed number of locks, taken in index order, so there is no deadlock as long as
/// an operation asks once for all that it needs.
@Component
public final class VolumeLocks {

  private static final int STRIPES = 1024;

  private final List<ReentrantLock> stripes =
      Stream.generate(ReentrantLock::new).limit(STRIPES).toList();

  /// Locks that are held until closed, by the thread that took them.
  public static final class Held implements AutoCloseable {
    private final Deque<ReentrantLock> locks = new ArrayDeque<>();

    private Held() {}

    @Override
    public void close() {
      locks.forEach(ReentrantLock::unlock);
      locks.clear();
    }
  }

  /// Takes the locks of `volumes`, waiting as long as it needs.
  public Held hold(VolumeId... volumes) {
    Held held = new Held();
    for (int stripe : stripesOf(List.of(volumes))) {
      stripes.get(stripe).lock();
      held.locks.push(stripes.get(stripe));
    }
    return held;
  }

  /// Takes the locks of `volumes`.
  ///
  /// @throws VasaException (Timeout) if that takes longer than `patience`; none is held then
  public Held hold(Collection<VolumeId> volumes, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Held held = new Held();
    try {
      for (int stripe : stripesOf(volumes)) {
        ReentrantLock lock = stripes.get(stripe);
        if (!lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          throw timeout(patience);
        }
        held.locks.push(lock);
      }
      return held;
    } catch (InterruptedException e) {
      held.close();
      Thread.currentThread().interrupt();
      throw timeout(patience);
    } catch (VasaException e) {
      held.close();
      throw e;
    }
  }

  private static VasaException timeout(Duration patience) {
    return new VasaException(
        new Fault.Timeout(),
        "another change of the same virtual volume did not end within %d ms"
            .formatted(patience.toMillis()));
  }

  private static int[] stripesOf(Collection<VolumeId> volumes) {
    return volumes.stream()
        .mapToInt(volume -> Math.floorMod(volume.hashCode(), STRIPES))
        .sorted()
        .distinct()
        .toArray();
  }
}
