package io.coppice.iscsi;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.function.LongSupplier;

/// What the connections of one event loop know of each other, so that the loop of a connection that
/// is alone may do the only command under way itself: nobody waits meanwhile, and two hand-overs
/// between threads are saved.
///
/// Belongs to its event loop. A device that is slow once takes the loop for one transfer, and then
/// not again for a second.
final class LoopMates {

  private static final FastThreadLocal<LoopMates> OF_LOOP =
      new FastThreadLocal<>() {
        @Override
        protected LoopMates initialValue() {
          return new LoopMates(System::nanoTime);
        }
      };

  private static final long SLOW_NANOS = 2_000_000;
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final LongSupplier clock;
  private int connections;
  private boolean pausing;
  private long pauseEnds;

  /// @param clock nanoseconds since some time
  LoopMates(LongSupplier clock) {
    this.clock = clock;
  }

  /// Those of the calling event loop.
  static LoopMates here() {
    return OF_LOOP.get();
  }

  void joined() {
    connections++;
  }

  void left() {
    connections--;
  }

  /// Whether the loop may do a transfer for its connection.
  boolean mayLend() {
    if (pausing && clock.getAsLong() - pauseEnds >= 0) {
      pausing = false;
    }
    return connections == 1 && !pausing;
  }

  /// The time now, for [#lentSince].
  long now() {
    return clock.getAsLong();
  }

  /// The loop is free again after a transfer that it may have done, which began at `start`.
  void lentSince(long start) {
    long now = clock.getAsLong();
    if (now - start > SLOW_NANOS) {
      pausing = true;
      pauseEnds = now + PAUSE_NANOS;
    }
  }
}
