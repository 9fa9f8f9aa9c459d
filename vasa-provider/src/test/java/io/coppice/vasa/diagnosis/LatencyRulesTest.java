package io.coppice.vasa.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The causes that follow from figures. Commands are slow from 20 ms on.
class LatencyRulesTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long MIB = 1 << 20;
  private static final VolumeId OTHER = new VolumeId(new UUID(0, 2));

  /// Means in milliseconds, the busiest neighbour's share in percent, and MiB written and moved.
  @ParameterizedTest(name = "{0}: {10}")
  @CsvSource({
    "nothing at all,                       0,   0,   0,  0,  0,   0,   0,   0, 0, IDLE",
    "idle behind a slow network,           0,   0,   0,  0, 90,   0,   0,   0, 0, IDLE",
    "idle while others are busy,           0,   0,   0,  0,  0, 100, 900, 800, 0, IDLE",
    "commands from before the window,      0, 900,   0,  0,  0,   0,   0,   0, 0, DEVICE",
    "fast,                               100,   1,   0,  0,  1,   0,   1,   0, 0, NONE",
    "fast beside a busy neighbour,       100,   5,   5,  0,  1,  95, 900,   0, 0, NONE",
    "fast while the cleaner works,       100,   5,   5,  0,  1,   0, 900, 800, 0, NONE",
    "just not slow,                      100,  10,   4,  3,  2,   0,   0,   0, 0, NONE",
    "just slow,                          100,  11,   4,  3,  2,   0,   0,   0, 0, DEVICE",
    "slow device,                        100,  50,   1,  0,  1,   0,   9,   0, 0, DEVICE",
    "slow device that nobody waits for,  100,  50,   9,  0,  1,  90,   9,   0, 0, DEVICE",
    "limit,                              100,   1,   0, 90,  1,   0,   0,   0, 0, LIMIT",
    "limit beside a busy neighbour,      100,   5,  20, 90,  1,  95, 900,   0, 0, LIMIT",
    "limit while the cleaner works,      100,   5,  20, 90,  1,   0, 900, 800, 0, LIMIT",
    "limit as large as the device,       100,  20,   0, 20,  0,   0,   0,   0, 0, LIMIT",
    "limit and network alike,            100,   0,   0, 20, 20,   0,   0,   0, 0, LIMIT",
    "network,                            100,   1,   0,  0, 80,   0,   0,   0, 0, NETWORK",
    "network beside a busy neighbour,    100,   1,   9,  0, 80,  95, 900,   0, 0, NETWORK",
    "network smaller than the device,    100,  30,   0,  0, 29,   0,   0,   0, 0, DEVICE",
    "neighbour,                          100,  20,  30,  0,  1,  90, 900,   0, 0, NEIGHBOUR",
    "neighbour with half of it,          100,  20,  30,  0,  1,  50, 900,   0, 0, NEIGHBOUR",
    "neighbour with less than half,      100,  20,  30,  0,  1,  49, 900,   0, 0, QUEUE",
    "little waiting behind a neighbour,  100,  40,  10,  0,  1,  90, 900,   0, 0, NEIGHBOUR",
    "too little waiting for that,        100,  41,  10,  0,  1,  90, 900,   0, 0, DEVICE",
    "its own queue,                      100,   5,  30,  0,  1,   0,   9,   0, 0, QUEUE",
    "cleaner,                            100,  20,  30,  0,  1,   0, 900, 800, 0, CLEANER",
    "cleaner that moves a quarter,       100,  20,  30,  0,  1,   0, 400, 100, 0, CLEANER",
    "cleaner that moves less,            100,  20,  10,  0,  1,   0, 401, 100, 0, DEVICE",
    "cleaner beside a busy neighbour,    100,  20,  30,  0,  1,  90, 900, 800, 0, CLEANER",
    "cleaner of a count that began anew, 100,  20,  10,  0,  1,   0,   0, 800, 0, CLEANER",
    "scrubber,                           100,  50,   1,  0,  1,   0,   9,   0, 9, DEVICE",
  })
  void theCauseFollowsFromTheFigures(
      String name,
      long commands,
      long device,
      long queue,
      long limit,
      long network,
      int neighbour,
      long written,
      long moved,
      long scrubbed,
      LatencyCause expected) {
    Figures figures =
        new Figures(
            15,
            commands,
            commands * 4096,
            device * MILLISECOND,
            queue * MILLISECOND,
            limit * MILLISECOND,
            network * MILLISECOND,
            neighbour == 0 ? List.of() : List.of(new Neighbour(OTHER, neighbour / 100.0, 0)),
            written * MIB,
            moved * MIB,
            scrubbed * MIB);

    assertThat(LatencyRules.of(figures, 20 * MILLISECOND)).as(name).isEqualTo(expected);
  }
}
