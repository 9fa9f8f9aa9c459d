package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.history.file.Stretch;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The space of some volumes together, slot by slot. A slot is unknown if it is for one of them.
final class HeldSpaces {

  private final Series series;
  private final @Nullable Double[] sum;
  private final double[] times;

  /// @param length slots
  HeldSpaces(Series series, int length) {
    this.series = series;
    sum = new Double[length];
    times = new double[length];
    java.util.Arrays.fill(sum, 0.0);
  }

  /// Adds some volumes.
  ///
  /// @param after the space of each after the last slot, as far as it is known
  void add(Stretch stretch, Collection<VolumeId> volumes, Map<VolumeId, double[]> after) {
    for (VolumeId volume : volumes) {
      double[] last = after.get(volume);
      @Nullable Double[] own =
          HeldSpace.of(
              stretch,
              Keys.volumeSpace(volume),
              series.place(),
              last == null ? null : last[series.place()]);
      for (int i = 0; i < sum.length; i++) {
        Double before = sum[i];
        Double one = own[i];
        sum[i] = before == null || one == null ? null : before + one;
        times[i] = stretch.millis(i);
      }
    }
  }

  Points points() {
    return new Points(series, sum, times);
  }
}
