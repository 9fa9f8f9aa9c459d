package io.coppice.bench.engine;

import java.util.Collection;
import java.util.List;

/// What several measurements of the same thing come to.
final class Figures {

  private Figures() {}

  /// The middle one, or the mean of the two in the middle.
  ///
  /// @param figures at least one
  static double median(Collection<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  static double least(Collection<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  static double most(Collection<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /// Median and range, as `12.5 (10.0-14.1)`: as many decimals as three digits need.
  static String text(Collection<Double> figures) {
    double median = median(figures);
    String form = median >= 100 ? "%.0f" : median >= 10 ? "%.1f" : "%.2f";
    return (form + " (" + form + "-" + form + ")").formatted(median, least(figures), most(figures));
  }
}
