package io.coppice.scsi.unit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A row of sums that many threads add to at once, and few read. Safe for any thread.
///
/// Each thread adds to a stripe that it shares with few others, and that has cache lines of its
/// own: threads that count the same unit would otherwise take the line from each other at each
/// command. All sums of a stripe lie side by side, so one command touches one line or two. A stripe
/// is made when it is first used: counts of an idle unit take next to nothing.
final class StripedCounts {

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(long[][].class);

  private static final int MOST_STRIPES = 64;
  private static final int STRIPES =
      Integer.highestOneBit(
          Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 1, MOST_STRIPES));

  /// Numbers at each end of a stripe that nobody uses: two cache lines, which are fetched together.
  private static final int MARGIN = 16;

  private final int length;
  private final long @Nullable [] @Nullable [] stripes = new long[STRIPES][];

  /// @param length number of sums
  StripedCounts(int length) {
    this.length = length;
  }

  /// The stripe of the calling thread, for [#add].
  long[] stripe() {
    int at = (int) Thread.currentThread().threadId() & STRIPES - 1;
    long[] stripe = (long[]) STRIPE.getAcquire(stripes, at);
    return stripe == null ? made(at) : stripe;
  }

  private long[] made(int at) {
    long[] stripe = new long[length + 2 * MARGIN];
    long[] before = (long[]) STRIPE.compareAndExchange(stripes, at, null, stripe);
    return before == null ? stripe : before;
  }

  /// Adds to the sum at `index`. Whoever sees the addition sees all that the thread added before.
  static void add(long[] stripe, int index, long number) {
    CELL.getAndAdd(stripe, MARGIN + index, number);
  }

  /// The sum at `index`, which may miss additions that are under way.
  long sum(int index) {
    long sum = 0;
    for (int i = 0; i < STRIPES; i++) {
      long[] stripe = (long[]) STRIPE.getAcquire(stripes, i);
      if (stripe != null) {
        sum += (long) CELL.getVolatile(stripe, MARGIN + index);
      }
    }
    return sum;
  }
}
