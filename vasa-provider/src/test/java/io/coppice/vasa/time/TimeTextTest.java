package io.coppice.vasa.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT0S, 0 seconds",
    "PT0.5S, PT0.5S, 0 seconds",
    "PT1S, PT1S, 1 second",
    "PT15M, PT15M, 15 minutes",
    "PT1H1S, PT1H1S, 1 hour 1 second",
    "PT25H, PT25H, 1 day 1 hour",
    "PT24H, P1D, 1 day",
    "PT720H, P30D, 30 days",
    "PT721H2M3S, PT721H2M3S, 30 days 1 hour"
  })
  void aLengthIsWrittenForProgramsAndForPeople(Duration length, String iso, String words) {
    assertThat(TimeText.iso(length)).isEqualTo(iso);
    assertThat(TimeText.words(length)).isEqualTo(words);
  }
}
