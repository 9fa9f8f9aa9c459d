package io.coppice.engine.clean;

import java.util.Arrays;

/// A watch on the time that batches of hosts take, which shows how much the cleaner disturbs them.
/// While the 99th percentile of a window is too far above its usual value, the cleaner's unpaid
/// work is halved, window after window. Otherwise it is doubled again, up to the whole.
///
/// *Usual* is the median of the 99th percentiles of up to a minute of earlier windows. A window
/// with few batches says nothing and is left out.
public final class LatencyWatch {

  private static final long MINUTE = 60_000_000_000L;
  private static final int FEWEST_BATCHES = 100;
  private static final int FEWEST_WINDOWS = 5;
  private static final int MOST_HALVINGS = 6;

  /// Number of buckets for the values of one power of two.
  private static final int STEPS = 8;

  private final long window;
  private final int risePercent;
  private final int[] counts = new int[64 * STEPS];
  private final long[] usual;

  // The committer's.
  private int count;
  private long start = Long.MIN_VALUE;
  private int windows;

  private volatile int halvings;
  private volatile long last = Long.MIN_VALUE;

  /// @param windowMillis at least 1
  /// @param risePercent at least 100
  public LatencyWatch(int windowMillis, int risePercent) {
    window = windowMillis * 1_000_000L;
    this.risePercent = risePercent;
    usual = new long[(int) Math.max(FEWEST_WINDOWS, MINUTE / window)];
  }

  /// Notes that a batch that hosts waited for is stable. Committer only.
  ///
  /// @param now nanoseconds of no particular origin
  /// @param took nanoseconds, at least 0
  public void took(long now, long took) {
    if (start == Long.MIN_VALUE) {
      start = now;
    }
    if (now - start >= window) {
      close();
      start = now;
    }
    counts[bucket(took)]++;
    count++;
    last = now;
  }

  private void close() {
    if (count >= FEWEST_BATCHES) {
      long now = percentile();
      boolean risen = windows >= FEWEST_WINDOWS && now * 100.0 > median() * (double) risePercent;
      halvings = risen ? Math.min(MOST_HALVINGS, halvings + 1) : Math.max(0, halvings - 1);
      usual[windows++ % usual.length] = now;
    }
    Arrays.fill(counts, 0);
    count = 0;
  }

  /// How often unpaid work is halved at present: 0 when no batch came for two windows.
  ///
  /// @param now as in [#took]
  int halvings(long now) {
    long before = last;
    return before == Long.MIN_VALUE || now - before > 2 * window ? 0 : halvings;
  }

  private long median() {
    long[] sorted = Arrays.copyOf(usual, Math.min(windows, usual.length));
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private long percentile() {
    int above = count / 100;
    int at = counts.length;
    while (above >= 0) {
      above -= counts[--at];
    }
    return lowest(at);
  }

  private static int bucket(long nanos) {
    int power = 63 - Long.numberOfLeadingZeros(nanos | STEPS);
    return power * STEPS + (int) (nanos >>> power - 3 & STEPS - 1);
  }

  private static long lowest(int bucket) {
    int power = bucket / STEPS;
    return (STEPS + (long) (bucket % STEPS)) << power - 3;
  }
}
