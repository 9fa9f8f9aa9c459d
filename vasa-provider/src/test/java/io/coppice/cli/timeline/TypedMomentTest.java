package io.coppice.cli.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.cli.failure.CommandFailedException;
import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Moments as people type them.
class TypedMomentTest {

  /// An hour after clocks were set back from 03:00 to 02:00.
  private static final ZonedDateTime NOW =
      ZonedDateTime.parse("2026-10-25T03:00:00+01:00[Europe/Berlin]");

  @ParameterizedTest
  @CsvSource({
    "2026-10-24T14:32:05Z, 2026-10-24T14:32:05Z",
    "2026-10-24T14:32:05.250+02:00, 2026-10-24T12:32:05.250Z",
    "2026-10-24T14:32:05, 2026-10-24T12:32:05Z",
    "2026-10-24 14:32, 2026-10-24T12:32:00Z",
    "02:59:59.999, 2026-10-25T01:59:59.999Z",
    "03:00, 2026-10-25T02:00:00Z",
    "03:00:01, 2026-10-24T01:00:01Z",
    "14:32:05, 2026-10-24T12:32:05Z",
    "00:30, 2026-10-24T22:30:00Z",
    "02:30, 2026-10-25T01:30:00Z",
    "2026-03-29T02:30, 2026-03-29T01:30:00Z"
  })
  void isTheLastOneThatItCanBe(String text, Instant expected) {
    assertThat(TypedMoment.parse("--moment", text, NOW)).isEqualTo(expected);
  }

  /// Before the second half past two, the first one is the last that is over.
  @ParameterizedTest
  @ValueSource(strings = {"02:30", "2026-10-25T02:30"})
  void aLocalTimeThatComesTwiceIsOver(String text) {
    ZonedDateTime between = ZonedDateTime.parse("2026-10-25T02:10:00+01:00[Europe/Berlin]");

    assertThat(TypedMoment.parse("--moment", text, between))
        .isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "noon", "14", "25:00", "2026-10-24", "2026-10-24T25:00Z", "5m"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> TypedMoment.parse("--moment", text, NOW))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("expected --moment as a moment such as 14:32:05");
  }
}
