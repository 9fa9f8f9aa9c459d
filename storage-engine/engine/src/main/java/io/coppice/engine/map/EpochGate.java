package io.coppice.engine.map;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The gate that keeps memory and zones that a reader may still hold from being reused.
///
/// Readers bracket their use of leaves and zones with [#enter] and [#leave]; they never wait. The
/// committer hands things that it takes out of reach to [#retire], and runs it once every reader
/// that was inside at that moment has left. The epoch moves from e to e+1 only when no reader is
/// left in e-1. So every reader that could have seen a thing retired in e is gone at epoch e+2.
public final class EpochGate {

  private static final int RING = 4;
  private static final int STRIDE = 16; // one cache line each

  private final AtomicIntegerArray inside = new AtomicIntegerArray(RING * STRIDE);
  private volatile int epoch = 1;

  // Owned by the committer.
  private final ArrayDeque<Retired> retired = new ArrayDeque<>();

  private record Retired(int epoch, Runnable release) {}

  /// A stay of one reader, for a long look that must not hold everything up. It leaves now and
  /// then, and enters again. Anything seen before that is then out of reach.
  public final class Stay implements AutoCloseable {
    private int ticket = enter();

    private Stay() {}

    /// Leaves, and enters again at once.
    public void renew() {
      int old = ticket;
      ticket = enter();
      leave(old);
    }

    @Override
    public void close() {
      leave(ticket);
    }
  }

  /// Enters for a stay that lasts until it is closed.
  public Stay stay() {
    return new Stay();
  }

  /// @return the ticket for [#leave]
  public int enter() {
    while (true) {
      int now = epoch;
      inside.incrementAndGet(index(now));
      if (epoch == now) {
        return now;
      }
      inside.decrementAndGet(index(now));
    }
  }

  public void leave(int ticket) {
    inside.decrementAndGet(index(ticket));
  }

  /// Committer only: runs `release` later, on the committer.
  void retire(Runnable release) {
    retired.add(new Retired(epoch, release));
  }

  /// Committer only: as [#retire], for other parts of the engine that take things out of reach.
  public void afterReaders(Runnable release) {
    retire(release);
  }

  /// Committer only: runs the releases whose readers have left. Cheap; called between batches.
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the committer writes
  public void advance() {
    if (retired.isEmpty()) {
      return;
    }
    for (int step = 0; step < 2 && inside.get(index(epoch - 1)) == 0; step++) {
      epoch = epoch + 1;
    }
    while (!retired.isEmpty() && epoch - retired.peek().epoch >= 2) {
      retired.remove().release.run();
    }
  }

  private static int index(int epoch) {
    return (epoch & (RING - 1)) * STRIDE;
  }
}
