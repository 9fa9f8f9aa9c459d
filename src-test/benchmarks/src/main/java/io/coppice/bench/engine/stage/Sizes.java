package io.coppice.bench.engine.stage;

import java.time.Duration;

/// The sizes of the measurements.
///
/// | Component | Meaning |
/// |---|---|
/// | `rounds` | rounds of each comparison |
/// | `time` | of each subject in each round |
/// | `pairs` | pairs of times with and without something |
/// | `diskBytes` | size of the volume, the file and the images that loads run against |
/// | `poolBytes` | size of the pool that holds it |
/// | `fullPoolBytes` | size of the pools that are filled to 70, 80 and 90 % |
/// | `copyBytes` | size of what is copied by range |
/// | `rangeBytes` | what WRITE SAME and UNMAP go over |
/// | `mappedSmall`, `mappedLarge` | what is mapped before the process is killed |
/// | `clones` | clones of the large one |
/// | `million` | I/Os over which allocations are counted at depth |
public record Sizes(
    int rounds,
    Duration time,
    int pairs,
    long diskBytes,
    long poolBytes,
    long fullPoolBytes,
    long copyBytes,
    long rangeBytes,
    long mappedSmall,
    long mappedLarge,
    int clones,
    int million) {

  public static final long GIB = 1L << 30;

  public static Sizes standard() {
    return new Sizes(
        5,
        Duration.ofMillis(1000),
        20,
        2 * GIB,
        16 * GIB,
        6 * GIB,
        4 * GIB,
        40 * GIB,
        10 * GIB,
        1024 * GIB,
        1_000,
        1_000_000);
  }

  /// To see that everything runs: figures that say little.
  public static Sizes quick() {
    return new Sizes(
        3,
        Duration.ofMillis(200),
        4,
        GIB / 4,
        4 * GIB,
        2 * GIB,
        GIB / 2,
        4 * GIB,
        GIB / 2,
        16 * GIB,
        50,
        50_000);
  }

  /// Volumes with a journal.
  public int volumesOfJournals() {
    return rounds < 5 ? 20 : 200;
  }

  /// As `512 MiB`, `10 GiB` or `1 TiB`: the largest unit that leaves no rest.
  public static String text(long bytes) {
    return bytes % (GIB << 10) == 0
        ? (bytes / (GIB << 10)) + " TiB"
        : bytes % GIB == 0 ? bytes / GIB + " GiB" : (bytes >> 20) + " MiB";
  }
}
