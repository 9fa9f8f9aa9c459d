package io.coppice.vasa.replication.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.replication.group.CycleStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// The moments at which a lag is late, and at which the RPO is missed.
class LagWatchTest {

  private static final Instant NEWEST = Instant.parse("2026-11-29T14:00:00Z");
  private static final Duration RPO = Duration.ofSeconds(60);

  private static LagVerdict at(long millis, CycleStatus cycles) {
    return LagWatch.verdict(new GroupLag(NEWEST, Duration.ofMillis(millis), RPO), cycles);
  }

  /// A cycle that runs since a moment after the newest replica.
  private static CycleStatus running(long sinceSeconds, Duration lastTook) {
    return new CycleStatus(
        true, NEWEST.plusSeconds(sinceSeconds), lastTook, NEWEST, null, 1, 0, 0, 0, 0);
  }

  @Test
  void lagIsLateBeyondThreeQuartersOfTheRpoAndMissedBeyondAllOfIt() {
    assertThat(at(0, CycleStatus.NONE)).isEqualTo(LagVerdict.OK);
    assertThat(at(45_000, CycleStatus.NONE)).isEqualTo(LagVerdict.OK);
    assertThat(at(45_001, CycleStatus.NONE)).isEqualTo(LagVerdict.LATE);
    assertThat(at(60_000, CycleStatus.NONE)).isEqualTo(LagVerdict.LATE);
    assertThat(at(60_001, CycleStatus.NONE)).isEqualTo(LagVerdict.MISSED);
  }

  @Test
  void cycleThatWillEndTooLateIsLateAtItsBegin() {
    assertThat(at(30_000, running(30, Duration.ofSeconds(30)))).isEqualTo(LagVerdict.OK);
    assertThat(at(30_000, running(30, Duration.ofSeconds(31)))).isEqualTo(LagVerdict.LATE);
    assertThat(at(61_000, running(30, Duration.ofSeconds(31)))).isEqualTo(LagVerdict.MISSED);
  }

  @Test
  void lastCycleSaysNothingWhileNoneRuns() {
    CycleStatus ended =
        new CycleStatus(false, NEWEST, Duration.ofHours(1), NEWEST, null, 1, 0, 0, 0, 0);

    assertThat(at(30_000, ended)).isEqualTo(LagVerdict.OK);
  }

  @Test
  void firstCycleHasNothingToBeHeldAgainst() {
    CycleStatus first = new CycleStatus(true, NEWEST, null, null, null, 0, 0, 0, 0, 0);

    assertThat(at(30_000, first)).isEqualTo(LagVerdict.OK);
  }
}
