package io.coppice.cli.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.api.protection.PointRule;
import io.coppice.cli.failure.CommandFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rules of protection policies, as they are typed and shown.
class RuleLineTest {

  @Test
  void aLineHasTheFieldsOfItsKind() {
    assertThat(RuleLine.parse("night=weekly mon,Thursday 2:00 Europe/Berlin keep 14d named {date}"))
        .isEqualTo(
            new PointRule(
                "night",
                "weekly",
                null,
                null,
                "02:00",
                "Europe/Berlin",
                List.of("monday", "thursday"),
                null,
                null,
                null,
                "PT336H",
                null,
                "{date}"));
    assertThat(RuleLine.parse("monthly last 02:00 keep 12"))
        .isEqualTo(
            new PointRule(
                "monthly", "monthly", null, null, "02:00", "UTC", null, "last", null, 12, null,
                null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          every 15m keep 8                         | every 15m keep 8
          hourly keep 24                           | hourly 0 keep 24
          h=hourly 5 keep 1d                       | h=hourly 5 keep 24h
          daily 02:00 Europe/Berlin keep 7         | daily 02:00 Europe/Berlin keep 7
          daily 02:00 UTC keep 30d lock 7d         | daily 02:00 UTC keep 720h lock 168h
          hourly 5 keep 24 lock 2h named {date}    | hourly 5 keep 24 lock 2h named {date}
          daily 02:00 keep 7                       | daily 02:00 UTC keep 7
          weekly mon,thu 02:00 keep 5              | weekly mon,thu 02:00 UTC keep 5
          monthly 31 02:00 jan,jul UTC keep 12     | monthly 31 02:00 UTC jan,jul keep 12
          monthly 1 02:00 UTC january keep 2 named {policy} of {date} | monthly 1 02:00 UTC jan keep 2 named {policy} of {date}
          """)
  void whatIsTypedIsShownAndMayBeTypedAgain(String typed, String shown) {
    assertThat(RuleLine.of(RuleLine.parse(typed))).isEqualTo(shown);
    assertThat(RuleLine.of(RuleLine.parse(shown))).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "daily",
        "daily 02:00",
        "daily keep 7",
        "daily two keep 7",
        "yearly 02:00 keep 7",
        "every keep 7",
        "every often keep 7",
        "hourly x keep 7",
        "hourly 5 UTC keep 7",
        "weekly mo 02:00 keep 7",
        "monthly 1 02:00 UTC jan Berlin keep 7",
        "daily 02:00 UTC keep soon",
      })
  void whatIsNoRuleIsRefused(String typed) {
    assertThatThrownBy(() -> RuleLine.parse(typed))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith("expected ");
  }
}
