package io.coppice.vasa.protection.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContinuousRuleTest {

  /// Tiers as `PT5S PT1H, PT1M P1D`.
  private static ContinuousRule rule(String text) {
    List<PointTier> tiers = new ArrayList<>();
    for (String tier : text.split(", ")) {
      String[] times = tier.split(" ");
      tiers.add(new PointTier(Duration.parse(times[0]), Duration.parse(times[1])));
    }
    return new ContinuousRule(tiers);
  }

  @Test
  void tiersRiseAndBecomeThoseOfAJournal() {
    ContinuousRule rule = rule("PT5S PT1H, PT1M P1D, PT15M P7D");

    assertThat(rule.finest()).isEqualTo(Duration.ofSeconds(5));
    assertThat(rule.kept()).isEqualTo(Duration.ofDays(7));
    assertThat(rule.text()).isEqualTo("PT5S for PT1H, PT1M for P1D, PT15M for P7D");
    assertThat(rule.journal())
        .startsWith(new JournalTier(Duration.ofSeconds(5), Duration.ofHours(1)))
        .hasSize(3);
    assertThat(rule("PT1S PT1S, PT2S PT2S, PT3S PT3S, PT4S P366D").tiers()).hasSize(4);
    assertThat(ContinuousRule.NONE.isEmpty()).isTrue();
    assertThat(ContinuousRule.NONE.kept()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PT0S PT1H                | expected 'every' of tier 1 of whole seconds, at least PT1S, got PT0S
          PT-5S PT1H               | expected 'every' of tier 1 of whole seconds, at least PT1S, got PT-5S
          PT1.5S PT1H              | expected 'every' of tier 1 of whole seconds, at least PT1S, got PT1.5S
          PT5S PT4S                | expected 'keepFor' of tier 1 of whole seconds from PT5S to P366D, got PT4S
          PT5S P367D               | expected 'keepFor' of tier 1 of whole seconds from PT5S to P366D, got P367D
          PT5S PT7.5S              | expected 'keepFor' of tier 1 of whole seconds from PT5S to P366D, got PT7.5S
          PT5S PT1H, PT5S P1D      | expected 'every' of tier 2 of more than the PT5S of tier 1, got PT5S
          PT5S PT1H, PT1M PT1H     | expected 'keepFor' of tier 2 of more than the PT1H of tier 1, got PT1H
          PT5S PT1H, PT1M P1D, PT30S P2D | expected 'every' of tier 3 of more than the PT1M of tier 2, got PT30S
          PT1S PT1M, PT2S PT2M, PT3S PT3M, PT4S PT4M, PT5S PT5M | expected at most 4 tiers, got 5
          """)
  void aBadTierIsRefusedWithWhatWasExpected(String tiers, String sentence) {
    assertThatThrownBy(() -> rule(tiers)).isInstanceOf(VasaException.class).hasMessage(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PT5S PT1H              | PT1M P1D               | PT5S for PT1H, PT1M for P1D
          PT5S PT1H              | PT5S PT2H              | PT5S for PT2H
          PT5S PT1H, PT1M P1D    | PT5S P2D               | PT5S for P2D
          PT5S P1D               | PT1M PT1H              | PT5S for P1D
          PT1S PT1M, PT1M PT2H   | PT5S PT1H, PT15M P7D   | PT1S for PT1M, PT5S for PT1H, PT1M for PT2H, PT15M for P7D
          PT1S PT1M, PT3S PT3M, PT5S PT5M | PT2S PT2M, PT4S PT4M | PT1S for PT1M, PT2S for PT2M, PT4S for PT4M, PT5S for PT5M
          """)
  void twoRulesTogetherHaveTheTiersOfBoth(String one, String other, String both) {
    assertThat(rule(one).and(rule(other)).text()).isEqualTo(both);
    assertThat(rule(other).and(rule(one)).text()).isEqualTo(both);
    assertThat(rule(one).and(ContinuousRule.NONE)).isEqualTo(rule(one));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PT5S PT1H, PT1M P1D | PT5S PT1H, PT1M P1D  | ''
          PT5S PT1H, PT1M P1D | PT5S PT30M, PT1M P1D | PT5S for PT1H
          PT5S PT1H, PT1M P1D | PT2S P2D             | ''
          PT5S PT1H, PT1M P1D | PT10S P2D            | PT5S for PT1H
          PT5S PT1H, PT1M P1D | PT1M PT12H           | PT5S for PT1H, PT1M for P1D
          """)
  void whatAnotherRuleDoesNotMakeUpForIsBeyondIt(String one, String other, String beyond) {
    assertThat(new ContinuousRule(rule(one).beyond(rule(other))).text()).isEqualTo(beyond);
    assertThat(rule(one).beyond(ContinuousRule.NONE)).isEqualTo(rule(one).tiers());
  }
}
