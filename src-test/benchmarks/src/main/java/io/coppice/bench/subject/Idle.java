package io.coppice.bench.subject;

import io.coppice.harness.Mismatch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Things that are free to be used again. A queue of the library allocates when somebody waits, and
/// what is counted beside it is what the engine allocates.
public final class Idle<T> {

  private final @Nullable Object[] ring;
  private int first; // guarded by this
  private int size; // guarded by this

  public Idle(int most) {
    ring = new Object[most];
  }

  public synchronized void add(T free) {
    ring[(first + size) % ring.length] = free;
    size++;
    if (size == 1) {
      notifyAll();
    }
  }

  /// Waits for one.
  @SuppressWarnings("unchecked") // only what `add` took is in it
  public synchronized T take() {
    try {
      while (size == 0) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while the bench ran", e);
    }
    T free = (T) Objects.requireNonNull(ring[first]);
    first = (first + 1) % ring.length;
    size--;
    return free;
  }
}
