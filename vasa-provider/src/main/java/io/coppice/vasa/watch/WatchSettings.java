package io.coppice.vasa.watch;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// Settings of the watch; see `config/application.yaml` for each.
///
/// @param enabled whether volumes are watched
/// @param window time over which the figures of a volume are taken together
/// @param windows windows in a row that make a volume a suspect, or end that
/// @param samples least samples of a window that may stand out
/// @param learnWindows windows with so many samples after which a volume is judged
/// @param entropy least mean of a window that stands out, in bits for each byte of a sample
/// @param rise by how many bits it must be above what is usual
/// @param rate least bytes a second that are replaced in a window that stands out
/// @param times the multiple of the usual rate that it must reach
/// @param replacedPercent least share of replaced bytes in those that were written
/// @param longest time after which what stood out is taken as usual
/// @param pause time in which the watch takes one recovery point of a group at most
/// @param volumes most volumes that are watched
public record WatchSettings(
    boolean enabled,
    Duration window,
    int windows,
    int samples,
    int learnWindows,
    double entropy,
    double rise,
    DataSize rate,
    double times,
    int replacedPercent,
    Duration longest,
    Duration pause,
    int volumes) {

  public WatchSettings {
    within("window", window, Duration.ofSeconds(5), Duration.ofMinutes(10));
    within("windows", windows, 1, 100);
    within("samples", samples, 4, 10_000);
    within("learn-windows", learnWindows, 1, 10_000);
    within("entropy", entropy, 5.0, 7.5);
    within("rise", rise, 0.2, 5.0);
    within("rate", rate, DataSize.ofKilobytes(4), DataSize.ofTerabytes(1));
    within("times", times, 1.0, 1000.0);
    within("replaced-percent", replacedPercent, 1, 100);
    within("longest", longest, Duration.ofMinutes(10), Duration.ofDays(30));
    within("pause", pause, Duration.ofMinutes(10), Duration.ofDays(30));
    within("volumes", volumes, 1, 1_000_000);
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.watch.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}
