package io.coppice.cli.noun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.api.protection.ContinuousTier;
import io.coppice.api.protection.PointRule;
import io.coppice.api.protection.ProtectionPolicyDraft;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.line.RuleLine;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtectionFileTest {

  @Test
  void rulesAreLinesOrHaveTheFieldsOfRest() {
    ProtectionPolicyDraft draft =
        ProtectionNouns.draft(
            "gold.yaml",
            """
            name: gold
            description: shop
            rules:
              - hourly keep 24
              - daily 02:00 Europe/Berlin keep 14d lock 7d
              - {name: quick, kind: every, interval: 15m, keepFor: 1d, lock: 12h}
            """);

    assertThat(draft.name()).isEqualTo("gold");
    assertThat(draft.description()).isEqualTo("shop");
    assertThat(draft.generation()).isNull();
    assertThat(draft.rules())
        .isEqualTo(
            List.of(
                RuleLine.parse("hourly keep 24"),
                RuleLine.parse("daily 02:00 Europe/Berlin keep 14d lock 7d"),
                new PointRule(
                    "quick", "every", "PT15M", null, null, null, null, null, null, null, "PT24H",
                    "PT12H", null)));
  }

  @Test
  void jsonIsReadTheSame() {
    assertThat(
            ProtectionNouns.draft(
                    "gold.json", "{\"name\": \"gold\", \"rules\": [\"hourly 5 keep 24\"]}")
                .rules())
        .containsExactly(RuleLine.parse("hourly 5 keep 24"));
  }

  @Test
  void tiersAreALineOrAListBesideRulesOrAlone() {
    List<ContinuousTier> tiers =
        List.of(new ContinuousTier("PT5S", "PT1H"), new ContinuousTier("PT1M", "PT24H"));
    for (String written :
        new String[] {
          "5s for 1h, 1m for 1d",
          "[5s for 1h, 1m for 1d]",
          "[{every: 5s, keepFor: 1h}, {every: PT1M, keepFor: 1d}]"
        }) {
      ProtectionPolicyDraft draft =
          ProtectionNouns.draft("a-file", "name: gold\ncontinuous: " + written);

      assertThat(draft.continuous()).as(written).isEqualTo(tiers);
      assertThat(draft.rules()).as(written).isEmpty();
    }
    ProtectionPolicyDraft none =
        ProtectionNouns.draft("a-file", "name: gold\nrules: [hourly keep 2]\ncontinuous: none");
    assertThat(none.continuous()).isEmpty();
    assertThat(none.rules()).hasSize(1);
  }

  @Test
  void whatIsNoProtectionPolicyIsRefused() {
    for (String wrong :
        new String[] {
          "",
          "- a",
          "gold",
          "name: gold",
          "name: gold\nrules: hourly",
          "name: gold\ncontinuous: none",
          "name: gold\ncontinuous: 5s",
          "name: gold\ncontinuous: [{every: soon, keepFor: 1d}]",
          "name: gold\ncontinuous: {every: 5s}",
          "rules: [hourly keep 24]",
          "name: gold\nrules: [hourly]",
          "name: gold\nrules: [7]",
          "name: gold\nrules: [[a]]",
          "name: gold\nrules: [{kind: hourly, speed: 7}]",
          "name: gold\nrules: [{kind: every, interval: soon}]",
          "name: gold\nrules: [hourly keep 24]\nmembers: []"
        }) {
      assertThatThrownBy(() -> ProtectionNouns.draft("a-file", wrong))
          .as(wrong)
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("expected");
    }
  }
}
