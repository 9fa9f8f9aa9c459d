package io.coppice.vasa.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The history of one object in a window.
public record ObjectHistory(Window window, List<Line> lines) {

  public ObjectHistory {
    lines = List.copyOf(lines);
  }

  /// One series.
  ///
  /// @param values for each slot of the window; null where nothing is known
  /// @param summary null if no slot has a value
  public record Line(
      Series series, List<@Nullable Double> values, Points.@Nullable Summary summary) {

    private static List<@Nullable Double> unmodifiable(@Nullable Double[] values) {
      List<@Nullable Double> list = new ArrayList<>(values.length);
      for (Double value : values) {
        list.add(value);
      }
      return Collections.unmodifiableList(list);
    }

    static Line of(Points points) {
      return new Line(points.series(), unmodifiable(points.values()), points.summary());
    }
  }
}
