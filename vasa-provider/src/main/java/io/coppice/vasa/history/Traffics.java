package io.coppice.vasa.history;

import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The traffic of some objects together, slot by slot. Objects are added in parts, so that the
/// records of many need not be in memory at a time.
final class Traffics {

  private static final int DIRECTIONS = 2;

  private final int[] millis;
  private final double[][] figures;
  private final boolean[] unknown;

  /// @param length slots
  Traffics(int length) {
    millis = new int[length];
    figures = new double[length][Record.WORDS];
    unknown = new boolean[length];
  }

  /// Adds some objects. A slot is unknown if it is for one of them.
  void add(Stretch stretch, Collection<Long> keys) {
    for (int i = 0; i < millis.length; i++) {
      millis[i] = stretch.millis(i);
      unknown[i] |= millis[i] == 0;
      List<double[]> some = new ArrayList<>(keys.size() + 1);
      for (long key : keys) {
        unknown[i] |= !stretch.isKnown(key, i);
        short[] words = stretch.words(key, i);
        if (words != null) {
          some.add(Record.figures(words));
        }
      }
      if (!some.isEmpty()) {
        some.add(figures[i]);
        figures[i] = Record.together(some);
      }
    }
  }

  Points points(Series series) {
    @Nullable Double[] values = new Double[millis.length];
    double[] weights = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      if (!unknown[i]) {
        values[i] = value(series, figures[i]);
        boolean isLatency = series.source() == Series.Source.LATENCY;
        weights[i] = millis[i] * (isLatency ? rate(series, figures[i]) : 1);
      }
    }
    return new Points(series, values, weights);
  }

  /// The value of a series; a latency has none where there was no command.
  private static @Nullable Double value(Series series, double[] figures) {
    int place = series.place();
    if (series.source() == Series.Source.LATENCY && rate(series, figures) == 0) {
      return null;
    }
    return series.isSum()
        ? figures[place] + figures[place + DIRECTIONS] + figures[place + 2 * DIRECTIONS]
        : figures[place];
  }

  /// The commands a second of the direction that a series is about.
  private static double rate(Series series, double[] figures) {
    return figures[series.isOfReads() ? 0 : 1];
  }
}
