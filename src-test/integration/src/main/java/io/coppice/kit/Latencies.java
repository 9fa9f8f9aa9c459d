package io.coppice.kit;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// Times that operations took, each kept to a thousandth of itself. Recording allocates nothing.
public final class Latencies {

  private static final int DIGITS = 3;

  private final AbstractHistogram nanos;

  private Latencies(AbstractHistogram nanos) {
    this.nanos = nanos;
  }

  /// For one thread.
  public static Latencies forOneThread() {
    return new Latencies(new Histogram(Long.MAX_VALUE, DIGITS));
  }

  /// Safe for several threads.
  public static Latencies shared() {
    return new Latencies(new ConcurrentHistogram(Long.MAX_VALUE, DIGITS));
  }

  /// Adds a time, in nanoseconds.
  public void record(long took) {
    nanos.recordValue(Math.max(0, took));
  }

  public long total() {
    return nanos.getTotalCount();
  }

  /// Begins anew.
  public void reset() {
    nanos.reset();
  }

  /// The time within which `percent` of the operations ended, in microseconds; 0 if there was none.
  ///
  /// @param percent above 0, at most 100
  public double micros(double percent) {
    return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percent) / 1e3;
  }

  /// As [#micros], in milliseconds.
  public double millis(double percent) {
    return micros(percent) / 1e3;
  }
}
