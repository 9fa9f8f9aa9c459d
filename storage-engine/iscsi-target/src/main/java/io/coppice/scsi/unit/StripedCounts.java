package io.coppice.scsi.unit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A row of sums that many threads add to at once, and few read. Safe for any thread.
///
/// A thread adds to a stripe of its own, which needs no atomic addition and has cache lines of its
/// own: threads that count the same unit would otherwise take the line from each other at each
/// command. All sums of a stripe lie side by side, so one command touches one line or two. A stripe
/// belongs to the first thread that comes to its place, for ever. Other threads that come there
/// share one stripe, to which they add atomically. Stripes are made when they are first used:
/// counts of an idle unit take next to nothing.
final class StripedCounts {

  private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(Stripe[].class);

  private static final int MOST_STRIPES = 64;
  private static final int STRIPES =
      Integer.highestOneBit(
          Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 1, MOST_STRIPES));

  /// The place of the stripe that is shared.
  private static final int SHARED = STRIPES;

  private final int length;
  private final @Nullable Stripe[] stripes = new Stripe[STRIPES + 1];

  /// @param length number of sums
  StripedCounts(int length) {
    this.length = length;
  }

  /// The sums of one thread, or of those that share.
  static final class Stripe {

    private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(long[].class);

    /// Numbers at each end that nobody uses: two cache lines, which are fetched together.
    private static final int MARGIN = 16;

    /// Id of the thread that adds; 0 if several do. Ids of threads are not used again.
    private final long owner;

    private final long[] sums;

    private Stripe(long owner, int length) {
      this.owner = owner;
      sums = new long[length + 2 * MARGIN];
    }

    /// Adds to the sum at `index`. Whoever sees the addition sees all that the thread added before.
    void add(int index, long number) {
      int at = MARGIN + index;
      if (owner == 0) {
        SUM.getAndAdd(sums, at, number);
      } else {
        SUM.setRelease(sums, at, sums[at] + number);
      }
    }

    private long sum(int index) {
      return (long) SUM.getAcquire(sums, MARGIN + index);
    }
  }

  /// The stripe to which the calling thread adds.
  Stripe stripe() {
    long me = Thread.currentThread().threadId();
    Stripe mine = at((int) me & STRIPES - 1, me);
    return mine.owner == me ? mine : at(SHARED, 0);
  }

  /// The stripe at a place, a new one of `owner` if there is none.
  private Stripe at(int place, long owner) {
    Stripe there = (Stripe) STRIPE.getAcquire(stripes, place);
    if (there == null) {
      Stripe added = new Stripe(owner, length);
      Stripe before = (Stripe) STRIPE.compareAndExchange(stripes, place, null, added);
      there = before == null ? added : before;
    }
    return there;
  }

  /// The sum at `index`, which may miss additions that are under way.
  long sum(int index) {
    long sum = 0;
    for (int i = 0; i <= STRIPES; i++) {
      Stripe stripe = (Stripe) STRIPE.getAcquire(stripes, i);
      if (stripe != null) {
        sum += stripe.sum(index);
      }
    }
    return sum;
  }
}
