package io.coppice.cli.noun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.api.policy.PolicyDraft;
import io.coppice.cli.failure.CommandFailedException;
import org.junit.jupiter.api.Test;

class PolicyFileTest {

  private static final PolicyDraft GOLD =
      new PolicyDraft(
          "gold",
          null,
          null,
          "thin",
          "PT15M",
          "PT168H",
          5000L,
          104857600L,
          "PT1H",
          "PT336H",
          "PT168H",
          null);

  @Test
  void yamlAndJsonAreReadTheSame() {
    assertThat(
            PolicyNoun.draft(
                "gold.yaml",
                """
                # fast
                name: gold
                spaceEfficiency: thin
                snapshotInterval: 15m
                snapshotRetention: 7d
                maxIops: 5000
                maxBandwidth: 100MiB
                recoveryPointAge: 1h
                recoveryPointsKept: 14d
                recoveryPointsLocked: 7d
                """))
        .isEqualTo(GOLD);
    assertThat(
            PolicyNoun.draft(
                "gold.json",
                """
                {"name": "gold", "spaceEfficiency": "thin", "snapshotInterval": "PT15M",
                 "snapshotRetention": "PT168H", "maxIops": 5000, "maxBandwidth": 104857600,
                 "recoveryPointAge": "PT1H", "recoveryPointsKept": "PT336H",
                 "recoveryPointsLocked": "PT168H"}"""))
        .isEqualTo(GOLD);
  }

  @Test
  void whatIsNoPolicyIsRefusedWithTheName() {
    for (String wrong :
        new String[] {
          "",
          "- a",
          "gold",
          "a: b: c",
          "name: gold\nname: gold",
          "spaceEfficiency: thin",
          "name: gold\nmaxIops: many",
          "name: gold\nspeed: 7",
          "!!java.io.File [a]",
          "a: &a [x,x]\nb: &b [*a,*a]\nname: [" + "*b,".repeat(60) + "*b]"
        }) {
      assertThatThrownBy(() -> PolicyNoun.draft("a-file", wrong))
          .as(wrong)
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("expected")
          .hasMessageContaining("a-file");
    }
  }
}
