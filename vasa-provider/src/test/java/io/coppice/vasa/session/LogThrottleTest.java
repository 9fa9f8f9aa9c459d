package io.coppice.vasa.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

  private Instant now = Instant.parse("2026-11-21T10:00:00Z");
  private final LogThrottle repeats = new LogThrottle(Duration.ofMinutes(1), () -> now);

  @Test
  void whatComesAgainIsToldOnceAMinuteWithHowOftenItCame() {
    assertThat(repeats.count("a")).isEqualTo(1);
    for (int i = 0; i < 5; i++) {
      assertThat(repeats.count("a")).isZero();
    }
    assertThat(repeats.count("b")).as("another").isEqualTo(1);

    now = now.plusSeconds(60);

    assertThat(repeats.count("a")).isEqualTo(6);
    assertThat(repeats.count("a")).isZero();
  }

  @Test
  void aClockThatIsSetBackSilencesNothing() {
    repeats.count("a");
    now = now.minus(Duration.ofDays(1));

    assertThat(repeats.count("a")).isEqualTo(1);
  }
}
