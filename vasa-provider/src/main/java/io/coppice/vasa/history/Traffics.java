package io.coppice.vasa.history;

import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Series of traffic, of one object or of several together.
final class Traffics {

  private static final int DIRECTIONS = 2;

  private Traffics() {}

  /// @param keys of all objects; a slot is unknown if it is for one of them
  static Points points(Series series, Stretch stretch, List<Long> keys) {
    @Nullable Double[] values = new Double[stretch.length()];
    double[] weights = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      List<double[]> figures = figures(stretch, keys, i);
      if (figures != null) {
        double[] together = Record.together(figures);
        values[i] = value(series, together);
        weights[i] =
            stretch.millis(i)
                * (series.source() == Series.Source.LATENCY
                    ? together[series.isOfReads() ? 0 : 1]
                    : 1);
      }
    }
    return new Points(series, values, weights);
  }

  /// The figures of those objects that were not idle; null if it is not known.
  private static @Nullable List<double[]> figures(Stretch stretch, List<Long> keys, int place) {
    if (stretch.millis(place) == 0) {
      return null;
    }
    List<double[]> figures = new ArrayList<>(keys.size());
    for (long key : keys) {
      if (!stretch.isKnown(key, place)) {
        return null;
      }
      short[] words = stretch.words(key, place);
      if (words != null) {
        figures.add(Record.figures(words));
      }
    }
    return figures;
  }

  /// The value of a series; a latency has none where there was no command.
  private static @Nullable Double value(Series series, double[] figures) {
    int place = series.place();
    if (series.source() == Series.Source.LATENCY && figures[series.isOfReads() ? 0 : 1] == 0) {
      return null;
    }
    return series.isSum()
        ? figures[place] + figures[place + DIRECTIONS] + figures[place + 2 * DIRECTIONS]
        : figures[place];
  }
}
