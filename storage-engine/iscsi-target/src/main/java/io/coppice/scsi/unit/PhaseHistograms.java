package io.coppice.scsi.unit;

import java.util.concurrent.atomic.LongAdder;

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

  private final LongAdder[] device = classes();
  private final LongAdder[] queue = classes();
  private final LongAdder[] limit = classes();

  private static LongAdder[] classes() {
    LongAdder[] classes = new LongAdder[BOUNDS.length + 1];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new LongAdder();
    }
    return classes;
  }

  /// The upper bounds of the classes, which belong to them, in nanoseconds. The last class has
  /// none.
  static long[] bounds() {
    return BOUNDS.clone();
  }

  /// Counts a command. Every one has a device's part; a wait of 0 is none.
  void add(long inDevice, long inQueue, long heldByLimit) {
    add(device, inDevice);
    if (inQueue > 0) {
      add(queue, inQueue);
    }
    if (heldByLimit > 0) {
      add(limit, heldByLimit);
    }
  }

  private static void add(LongAdder[] classes, long nanos) {
    int at = 0;
    while (at < BOUNDS.length && nanos > BOUNDS[at]) {
      at++;
    }
    classes[at].increment();
  }

  /// The counts of now, which add up to the same number of commands in each phase.
  PhaseCounts counts() {
    long[] queued = sums(queue);
    long[] limited = sums(limit);
    long[] served = sums(device); // last: there are no more waits than commands
    long all = sum(served);
    return new PhaseCounts(served, withOthers(queued, all), withOthers(limited, all));
  }

  /// Adds those that did not wait, whose wait is 0.
  private static long[] withOthers(long[] waited, long all) {
    waited[0] += Math.max(0, all - sum(waited));
    return waited;
  }

  private static long[] sums(LongAdder[] classes) {
    long[] sums = new long[classes.length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = classes[i].sum();
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
