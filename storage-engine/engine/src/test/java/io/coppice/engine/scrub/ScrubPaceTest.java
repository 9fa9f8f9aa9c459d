package io.coppice.engine.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.ScrubSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScrubPaceTest {

  private static final long MIB = 1 << 20;
  private static final long TIB = 1L << 40;
  private static final int PIECE = 256 << 10;

  private final ScrubSettings settings = new ScrubSettings(Duration.ofDays(14), 10);

  @Test
  void hostsKeepTheirShareOfTheDevice() {
    assertThat(ScrubPace.forHosts(settings, 1_000)).isEqualTo(9_000);
    assertThat(ScrubPace.forHosts(new ScrubSettings(Duration.ZERO, 100), 1_000)).isZero();
    assertThat(ScrubPace.forHosts(new ScrubSettings(Duration.ZERO, 50), 1_000)).isEqualTo(1_000);
  }

  @Test
  void aPassTakesFourFifthsOfThePeriod() {
    long pieces = TIB / PIECE;
    long nanos = pieces * (100_000 + ScrubPace.forPeriod(settings, TIB, PIECE, 100_000));

    assertThat(Duration.ofNanos(nanos))
        .isBetween(Duration.ofHours(14 * 24 * 8 / 10 - 1), Duration.ofHours(14 * 24 * 8 / 10 + 1));
  }

  @Test
  void theShareOfTheDeviceIsKeptWhenThePeriodIsTooShort() {
    ScrubSettings hourly = new ScrubSettings(Duration.ofHours(1), 10);

    assertThat(ScrubPace.forPeriod(hourly, 64 * TIB, PIECE, 1_000_000)).isEqualTo(9_000_000);
  }

  @Test
  void aSmallPoolIsNotReadForDays() {
    assertThat(ScrubPace.forPeriod(settings, MIB, PIECE, 0)).isEqualTo(4_000_000_000L);
  }
}
