package io.coppice.cli.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.api.protection.ContinuousTier;
import io.coppice.api.replication.ReplicaTier;
import io.coppice.cli.failure.CommandFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TierLineTest {

  @Test
  void tiersAreSeparatedByCommas() {
    assertThat(TierLine.parse(" 5s for 1h, 1m for 1d,PT15M for 1w "))
        .containsExactly(
            new ContinuousTier("PT5S", "PT1H"),
            new ContinuousTier("PT1M", "PT24H"),
            new ContinuousTier("PT15M", "PT168H"));
    assertThat(TierLine.parse("none")).isEmpty();
  }

  @Test
  void whatTheServerShowsIsShownAsTyped() {
    assertThat(
            TierLine.of(
                List.of(new ContinuousTier("PT5S", "PT1H"), new ContinuousTier("PT1M", "P1D"))))
        .isEqualTo("5s for 1h, 1m for 1d");
    assertThat(TierLine.of(List.of())).isNull();
  }

  @Test
  void replicasAreKeptByTheSameLine() {
    List<ReplicaTier> tiers = TierLine.keep("5s for 1h, 1m for 1d");

    assertThat(tiers)
        .containsExactly(new ReplicaTier("PT5S", "PT1H"), new ReplicaTier("PT1M", "PT24H"));
    assertThat(TierLine.kept(tiers)).isEqualTo("5s for 1h, 1m for 24h");
    assertThat(TierLine.keep("none")).isEmpty();
    assertThat(TierLine.kept(List.of())).isNull();
    assertThatThrownBy(() -> TierLine.keep("5s"))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("expected --keep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5s", "5s for", "5s for 1h,", "5s to 1h", "soon for 1h", "5s for ever"})
  void whatIsNoTierIsRefused(String typed) {
    assertThatThrownBy(() -> TierLine.parse(typed))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("expected --continuous");
  }
}
