package io.coppice.bench.engine;

/// How long I/Os took, in classes that are at most 1/32 wide. Recording allocates nothing. For one
/// thread.
final class Latencies {

  private static final int FINE_BITS = 5;
  private static final int FINE = 1 << FINE_BITS;

  private final long[] counts = new long[(Long.SIZE - FINE_BITS) * FINE];
  private long total;

  void record(long nanos) {
    counts[classOf(Math.max(0, nanos))]++;
    total++;
  }

  long total() {
    return total;
  }

  /// The time within which `percent` of the I/Os ended, in microseconds, at most 1/32 too long; 0
  /// if there was none.
  ///
  /// @param percent above 0, at most 100
  double micros(double percent) {
    long wanted = Math.max(1, (long) Math.ceil(total * percent / 100));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return mostOf(i) / 1e3;
      }
    }
    return 0;
  }

  private static int classOf(long nanos) {
    if (nanos < FINE) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - FINE_BITS;
    return (shift + 1) * FINE + (int) (nanos >>> shift) - FINE;
  }

  private static long mostOf(int number) {
    if (number < FINE) {
      return number;
    }
    int shift = number / FINE - 1;
    return (((long) (number % FINE + FINE + 1)) << shift) - 1;
  }
}
