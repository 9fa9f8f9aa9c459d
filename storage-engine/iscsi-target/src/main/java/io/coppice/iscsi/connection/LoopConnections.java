package io.coppice.iscsi.connection;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// The connections of one event loop. If a connection is alone there, the loop may do the only
/// command under way itself: nobody waits meanwhile, and two hand-overs between threads are saved.
///
/// While the loop does so, no connection joins it, and it never does so for connections that share
/// it. Whatever the device does, only the connection that sent the command waits. A device that is
/// slow once takes the loop for one transfer, and then not again for a second.
///
/// [#join] may be called by any thread, all else by the loop's.
public final class LoopConnections {

  private static final AttributeKey<LoopConnections> OF_CHANNEL = AttributeKey.valueOf("loopMates");

  private static final long SLOW_NANOS = 2_000_000;
  private static final long PAUSE_NANOS = 1_000_000_000;

  /// A bit in `state`, beside the number of connections: the loop does a transfer.
  private static final int LENT = 1 << 30;

  private final LongSupplier clock;
  private final boolean lends;
  private final AtomicInteger state = new AtomicInteger();
  private boolean pausing;
  private long pauseEnds;

  /// @param clock nanoseconds since some time
  /// @param lends whether the loop ever does a transfer
  public LoopConnections(LongSupplier clock, boolean lends) {
    this.clock = clock;
    this.lends = lends;
  }

  /// The connections of a channel's loop if it has joined; otherwise some that never lend.
  static LoopConnections of(Channel channel) {
    LoopConnections joined = channel.attr(OF_CHANNEL).get();
    return joined == null ? new LoopConnections(System::nanoTime, false) : joined;
  }

  /// Connections that share the loop.
  public int connections() {
    return state.get() & ~LENT;
  }

  /// Whether the loop does a transfer now.
  public boolean isLent() {
    return state.get() >= LENT;
  }

  /// A connection comes to the loop, until it is closed.
  ///
  /// @return false if it must not, as the loop does a transfer
  public boolean join(Channel channel) {
    int before;
    do {
      before = state.get();
      if (before >= LENT) {
        return false;
      }
    } while (!state.compareAndSet(before, before + 1));
    channel.attr(OF_CHANNEL).set(this);
    channel.closeFuture().addListener(_ -> state.decrementAndGet());
    return true;
  }

  /// Whether the loop does a transfer for its connection now; [#lentSince] must follow.
  public boolean lend() {
    if (pausing && clock.getAsLong() - pauseEnds >= 0) {
      pausing = false;
    }
    return lends && !pausing && state.compareAndSet(1, 1 | LENT);
  }

  /// The time now, for [#lentSince].
  public long now() {
    return clock.getAsLong();
  }

  /// The loop is free again after a transfer that it may have done, which began at `start`.
  public void lentSince(long start) {
    state.addAndGet(-LENT);
    long now = clock.getAsLong();
    if (now - start > SLOW_NANOS) {
      pausing = true;
      pauseEnds = now + PAUSE_NANOS;
    }
  }
}
