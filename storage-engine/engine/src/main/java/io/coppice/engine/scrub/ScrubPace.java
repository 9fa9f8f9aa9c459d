package io.coppice.engine.scrub;

import io.coppice.engine.ScrubSettings;

/// The wait after each read, so that scrubbing is done in time and hosts do not notice.
final class ScrubPace {

  private static final double SHORTER_THAN_PERIOD = 1.25;
  private static final double SLOWEST_BYTES_PER_SECOND = 64 << 10;

  private ScrubPace() {}

  /// @param nanoseconds that the read took
  /// @return nanoseconds that leave hosts their share of the device's time
  static long forHosts(ScrubSettings settings, long nanoseconds) {
    double share = settings.deviceTimePercent();
    return (long) (nanoseconds * (100 - share) / share);
  }

  /// As [#forHosts], or longer: a pass over `bytesToRead` takes four fifths of the period, but is
  /// never slower than 64 KiB a second.
  static long forPeriod(ScrubSettings settings, long bytesToRead, int bytes, long nanoseconds) {
    long seconds = settings.period().toSeconds();
    long rest = forHosts(settings, nanoseconds);
    if (seconds == 0) {
      return rest;
    }
    double rate = Math.max(SLOWEST_BYTES_PER_SECOND, bytesToRead * SHORTER_THAN_PERIOD / seconds);
    return Math.max(rest, (long) (1e9 * bytes / rate) - nanoseconds);
  }
}
