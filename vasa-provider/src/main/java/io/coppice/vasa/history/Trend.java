package io.coppice.vasa.history;

import java.time.Duration;
import java.util.Arrays;

/// A trend of some points: the median of the slopes between any two of them (Theil and Sen), which
/// single leaps and outliers hardly move.
///
/// @param span from the first to the last point
/// @param points how many there were
/// @param perDay bytes a day that it grows by, negative if it shrinks
/// @param agreement the share of pairs of points that move in its direction, 0 to 1
public record Trend(Duration span, int points, double perDay, double agreement) {

  private static final int MOST_POINTS = 240;
  private static final double SECONDS_PER_DAY = 86_400;

  /// @param times in seconds, rising, at least two
  /// @param values one for each
  static Trend of(double[] times, double[] values) {
    int stride = (times.length + MOST_POINTS - 1) / MOST_POINTS;
    int count = (times.length + stride - 1) / stride;
    double[] slopes = new double[count * (count - 1) / 2];
    int next = 0;
    for (int i = 0; i < times.length; i += stride) {
      for (int j = i + stride; j < times.length; j += stride) {
        slopes[next++] = (values[j] - values[i]) / (times[j] - times[i]);
      }
    }
    Arrays.sort(slopes);
    double median = slopes.length == 0 ? 0 : slopes[slopes.length / 2];
    double direction = Math.signum(median);
    long agreeing = Arrays.stream(slopes).filter(one -> Math.signum(one) == direction).count();
    return new Trend(
        Duration.ofSeconds((long) (times[times.length - 1] - times[0])),
        times.length,
        median * SECONDS_PER_DAY,
        slopes.length == 0 ? 0 : (double) agreeing / slopes.length);
  }
}
