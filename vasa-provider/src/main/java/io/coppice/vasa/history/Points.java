package io.coppice.vasa.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The points of one series, and how much each of them counts in a mean.
///
/// @param values null where nothing is known
record Points(Series series, @Nullable Double[] values, double[] weights) {

  private static final double TOP_SHARE = 0.95;

  /// The statistics over all points with a value.
  ///
  /// @param average latencies by their commands, all others by their time
  /// @param p95 the smallest value that 95 of 100 points do not exceed
  public record Summary(double min, double average, double max, double p95, double last) {}

  /// The statistics; null if no point has a value.
  @Nullable Summary summary() {
    double[] known = new double[values.length];
    int count = 0;
    double sum = 0;
    double weight = 0;
    for (int i = 0; i < values.length; i++) {
      Double value = values[i];
      if (value != null) {
        known[count++] = value;
        sum += value * weights[i];
        weight += weights[i];
      }
    }
    if (count == 0) {
      return null;
    }
    double last = known[count - 1];
    double[] sorted = Arrays.copyOf(known, count);
    Arrays.sort(sorted);
    int top = (int) Math.ceil(TOP_SHARE * count) - 1;
    return new Summary(
        sorted[0], weight == 0 ? 0 : sum / weight, sorted[count - 1], sorted[top], last);
  }
}
