package io.coppice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.cli.failure.CommandFailedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {

  @ParameterizedTest
  @CsvSource({
    "15m, PT15M",
    "1h30m, PT1H30M",
    "7d, PT168H",
    "1w, PT168H",
    "90s, PT1M30S",
    "PT15M, PT15M"
  })
  void aTimeIsShortOrIso(String text, String iso) {
    assertThat(TimeSpan.parse("every", text)).hasToString(iso);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "15", "m", "1m1h", "15 m", "P", "soon"})
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> TimeSpan.parse("every", text))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("expected every as a time like 15m");
  }
}
