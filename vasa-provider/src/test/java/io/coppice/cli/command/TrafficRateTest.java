package io.coppice.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.iscsi.TrafficCount;
import io.coppice.api.iscsi.TrafficTotal;
import io.coppice.api.iscsi.VolumeTraffic;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Rates between two looks at counters.
class TrafficRateTest {

  private static final UUID ID = UUID.fromString("11111111-2222-4333-8444-555555555555");
  private static final Instant START = Instant.parse("2026-11-24T00:00:00Z");
  private static final TrafficCount NOTHING = new TrafficCount(0, 0, 0);

  @Test
  void aRateIsTheDifferenceByTheTimeOfTheServer() {
    TrafficRate rate =
        TrafficRate.between(
            volume(0, new TrafficCount(100, 409_600, 50_000), NOTHING),
            volume(4, new TrafficCount(300, 1_228_800, 250_000), new TrafficCount(4, 8192, 40)));

    assertThat(rate.read()).isEqualTo(new TrafficRate.Direction(50, 204_800, 1000));
    assertThat(rate.write()).isEqualTo(new TrafficRate.Direction(1, 2048, 10));
    assertThat(rate.iops()).isEqualTo(51);
    assertThat(rate.latency()).isEqualTo((50 * 1000 + 10) / 51.0);
  }

  @Test
  void aCounterThatBeganAgainCountsFromZero() {
    TrafficRate rate =
        TrafficRate.between(
            volume(0, new TrafficCount(1000, 4096, 900), NOTHING),
            volume(2, new TrafficCount(10, 1024, 50), NOTHING));

    assertThat(rate.read()).isEqualTo(new TrafficRate.Direction(5, 512, 5));
  }

  @Test
  void aVolumeThatIsNewAndATimeThatStandsStillHaveNoRate() {
    VolumeTraffic now = volume(1, new TrafficCount(10, 1024, 50), NOTHING);

    assertThat(TrafficRate.between(null, now).iops()).isZero();
    assertThat(TrafficRate.between(volume(1, NOTHING, NOTHING), now).iops()).isZero();
    assertThat(TrafficRate.between(volume(5, NOTHING, NOTHING), now).iops()).isZero();
  }

  @Test
  void allVolumesTogetherHaveARateToo() {
    TrafficRate rate =
        TrafficRate.between(
            new TrafficTotal(START, NOTHING, NOTHING),
            new TrafficTotal(START.plusMillis(500), NOTHING, new TrafficCount(1, 512, 7)));

    assertThat(rate.write()).isEqualTo(new TrafficRate.Direction(2, 1024, 7));
    assertThat(rate.bandwidth()).isEqualTo(1024);
  }

  private static VolumeTraffic volume(int second, TrafficCount read, TrafficCount write) {
    return new VolumeTraffic(ID, "disk", START.plusSeconds(second), read, write);
  }
}
