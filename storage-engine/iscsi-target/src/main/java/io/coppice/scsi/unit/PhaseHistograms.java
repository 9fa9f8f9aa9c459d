package io.coppice.scsi.unit;

/// The counts of reads, or of writes, of all units together by how long their phases took. Safe for
/// any thread; nothing is allocated.
///
/// Only waits that took time are counted as such. The commands that did not wait are the others, so
/// they cost nothing.
final class PhaseHistograms {

  /// The upper bounds of all classes but the last, in nanoseconds: 100 µs to 10 s.
  private static final long[] BOUNDS = {
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  private static final int CLASSES = BOUNDS.length + 1;

  // Where the classes of each phase begin.
  private static final int DEVICE = 0;
  private static final int QUEUE = CLASSES;
  private static final int LIMIT = 2 * CLASSES;

  private final StripedCounts counts = new StripedCounts(3 * CLASSES);

  /// The upper bounds of the classes, which belong to them, in nanoseconds. The last class has
  /// none.
  static long[] bounds() {
    return BOUNDS.clone();
  }

  /// Counts a command. Every one has a device's part; a wait of 0 is none.
  void add(long inDevice, long inQueue, long heldByLimit) {
    StripedCounts.Stripe mine = counts.stripe();
    mine.add(DEVICE + classOf(inDevice), 1);
    if (inQueue > 0) {
      mine.add(QUEUE + classOf(inQueue), 1);
    }
    if (heldByLimit > 0) {
      mine.add(LIMIT + classOf(heldByLimit), 1);
    }
  }

  private static int classOf(long nanos) {
    int at = 0;
    while (at < BOUNDS.length && nanos > BOUNDS[at]) {
      at++;
    }
    return at;
  }

  /// The counts of now, which add up to the same number of commands in each phase.
  PhaseCounts counts() {
    long[] queued = sums(QUEUE);
    long[] limited = sums(LIMIT);
    long[] served = sums(DEVICE); // last: there are no more waits than commands
    long all = sum(served);
    return new PhaseCounts(served, withOthers(queued, all), withOthers(limited, all));
  }

  /// Adds those that did not wait, whose wait is 0.
  private static long[] withOthers(long[] waited, long all) {
    waited[0] += Math.max(0, all - sum(waited));
    return waited;
  }

  private long[] sums(int from) {
    long[] sums = new long[CLASSES];
    for (int i = 0; i < CLASSES; i++) {
      sums[i] = counts.sum(from + i);
    }
    return sums;
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }
}
