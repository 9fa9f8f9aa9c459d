package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.format.BlockAddress;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlacementCountsTest {

  private static final int BLOCKS = 1024;

  private final PlacementCounts counts = new PlacementCounts();

  @Test
  void countsAreThoseOfAMap() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, Integer> expected = new TreeMap<>();
    for (int step = 0; step < 1_000; step++) {
      int segment = 1 + random.nextInt(3);
      int first = random.nextInt(BLOCKS);
      int end = Math.min(BLOCKS, first + 1 + random.nextInt(random.nextBoolean() ? 1 : 600));
      int more = random.nextInt(-3, 3);
      for (int block = first; block < end; block++) {
        change(expected, BlockAddress.of(segment, block, 1), more, seed);
      }
    }

    assertThat(counts.size()).as("seed %d", seed).isEqualTo(expected.size());
    List<PlacementRun> runs = counts.runs();
    assertThat(blocks(runs)).as("seed %d", seed).isEqualTo(expected);
    for (int i = 1; i < runs.size(); i++) {
      PlacementRun before = runs.get(i - 1);
      PlacementRun run = runs.get(i);
      boolean together = address(before, before.blocks()) == run.first();
      assertThat(run.first())
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(address(before, before.blocks()));
      assertThat(together && run.placements() == before.placements()).as("seed %d", seed).isFalse();
    }
    PlacementCounts restored = new PlacementCounts();
    runs.forEach(restored::restore);
    assertThat(restored.runs()).as("seed %d", seed).isEqualTo(runs);
    assertThat(restored.size()).as("seed %d", seed).isEqualTo(counts.size());
  }

  private static Map<Long, Integer> blocks(List<PlacementRun> runs) {
    Map<Long, Integer> blocks = new TreeMap<>();
    for (PlacementRun run : runs) {
      for (int i = 0; i < run.blocks(); i++) {
        blocks.put(address(run, i), run.placements());
      }
    }
    return blocks;
  }

  private static long address(PlacementRun run, int block) {
    return BlockAddress.of(
        BlockAddress.segment(run.first()), BlockAddress.block(run.first()) + block, 1);
  }

  private void change(TreeMap<Long, Integer> expected, long address, int more, long seed) {
    int before = expected.getOrDefault(address, 1);
    assertThat(counts.of(address)).as("seed %d", seed).isEqualTo(before);
    if (more > 0) {
      counts.add(address, more);
      expected.put(address, before + more);
    } else {
      assertThat(counts.remove(address)).as("seed %d", seed).isEqualTo(before == 1);
      expected.remove(address);
      if (before > 2) {
        expected.put(address, before - 1);
      }
    }
  }

  @Test
  void blocksThatWereCopiedTogetherAreKeptTogether() {
    SegmentCounts segment = new SegmentCounts();
    int[] order = new SplittableRandom(7).ints(0, BLOCKS).distinct().limit(BLOCKS).toArray();
    for (int block : order) {
      segment.add(block, 2);
    }

    assertThat(segment.counted()).isEqualTo(BLOCKS);
    assertThat(segment.mixed()).isZero();
    segment.add(300, -1);
    assertThat(segment.mixed()).isEqualTo(1);
    assertThat(segment.of(299)).isEqualTo(2);
    assertThat(segment.of(300)).isEqualTo(1);
    assertThat(segment.of(BLOCKS)).isZero();
  }

  @Test
  void moreThanAnIntegerCountsAndLessThanNoneAreRefused() {
    long address = BlockAddress.of(1, 5, 1);
    counts.add(address, Integer.MAX_VALUE - 1);

    assertThatThrownBy(() -> counts.add(address, 1)).isInstanceOf(ArithmeticException.class);
    assertThat(counts.of(address)).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> new SegmentCounts().add(5, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
