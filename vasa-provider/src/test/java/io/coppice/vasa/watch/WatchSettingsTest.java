package io.coppice.vasa.watch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.unit.DataSize;

/// Settings of the watch that are out of range.
class WatchSettingsTest {

  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration DAY = Duration.ofDays(1);
  private static final DataSize RATE = DataSize.ofKilobytes(256);

  private static WatchSettings of(Duration window, int windows, int samples, int learn) {
    return new WatchSettings(
        true, window, windows, samples, learn, 7, 1, RATE, 4, 50, DAY, DAY, 100);
  }

  private static WatchSettings of(double entropy, double rise, DataSize rate, double times) {
    return new WatchSettings(
        true, WINDOW, 4, 16, 20, entropy, rise, rate, times, 50, DAY, DAY, 100);
  }

  private static WatchSettings of(int percent, Duration longest, Duration pause, int volumes) {
    return new WatchSettings(
        true, WINDOW, 4, 16, 20, 7, 1, RATE, 4, percent, longest, pause, volumes);
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        wrong("window", () -> of(Duration.ofSeconds(4), 4, 16, 20)),
        wrong("window", () -> of(Duration.ofMinutes(11), 4, 16, 20)),
        wrong("windows", () -> of(WINDOW, 0, 16, 20)),
        wrong("samples", () -> of(WINDOW, 4, 3, 20)),
        wrong("learn-windows", () -> of(WINDOW, 4, 16, 0)),
        wrong("entropy", () -> of(7.6, 1, RATE, 4)),
        wrong("entropy", () -> of(Double.NaN, 1, RATE, 4)),
        wrong("rise", () -> of(7, 0.1, RATE, 4)),
        wrong("rate", () -> of(7, 1, DataSize.ofBytes(1), 4)),
        wrong("times", () -> of(7, 1, RATE, 0.5)),
        wrong("replaced-percent", () -> of(0, DAY, DAY, 100)),
        wrong("longest", () -> of(50, Duration.ofMinutes(9), DAY, 100)),
        wrong("pause", () -> of(50, DAY, Duration.ofDays(31), 100)),
        wrong("volumes", () -> of(50, DAY, DAY, 0)));
  }

  private static Arguments wrong(String key, Executable made) {
    return Arguments.of(key, made);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void isRefusedByName(String key, Executable made) {
    assertThatThrownBy(made::execute)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("coppice.watch.%s: expected".formatted(key));
  }
}
