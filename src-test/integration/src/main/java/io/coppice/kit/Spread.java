package io.coppice.kit;

import java.util.Collection;
import java.util.List;

/// Median and range of a few measurements of the same thing. (Where there are many, [Latencies].)
public final class Spread {

  private Spread() {}

  /// The middle one, or the mean of the two in the middle.
  ///
  /// @param figures at least one
  public static double median(Collection<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public static double least(Collection<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  public static double most(Collection<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /// Median and range, as `12.5 (10.0-14.1)`: as many decimals as three digits need.
  public static String text(Collection<Double> figures) {
    double median = median(figures);
    String form = median >= 100 ? "%.0f" : median >= 10 ? "%.1f" : "%.2f";
    return text(form + " (" + form + "-" + form + ")", figures);
  }

  /// Median, least and most, in this order, as `form` has them.
  public static String text(String form, Collection<Double> figures) {
    return form.formatted(median(figures), least(figures), most(figures));
  }
}
