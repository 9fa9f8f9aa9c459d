package io.coppice.bench.report;

import java.util.Locale;

/// The bound that a figure is to reach or to keep.
///
/// @param isFloor whether larger is better: `bound` is the least then, else the most
/// @param bound above 0
public record Aim(boolean isFloor, double bound) {

  public static Aim atLeast(double bound) {
    return new Aim(true, bound);
  }

  public static Aim atMost(double bound) {
    return new Aim(false, bound);
  }

  boolean isMetBy(double figure) {
    return isFloor ? figure >= bound : figure <= bound;
  }

  /// How far a figure is beyond the aim: 1 meets it exactly, more is better. At most 100.
  double share(double figure) {
    double share = isFloor ? figure / bound : bound / Math.max(figure, bound / 100);
    return Math.min(share, 100);
  }

  @Override
  public String toString() {
    String text = String.format(Locale.ROOT, "%.2f", bound).replaceFirst("\\.?0+$", "");
    return (isFloor ? "at least " : "at most ") + text;
  }
}
