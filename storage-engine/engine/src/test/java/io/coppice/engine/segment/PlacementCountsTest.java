package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.table.PlacementRow;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertThat(blocks(counts)).as("seed %d", seed).isEqualTo(expected);
    PlacementCounts restored = stored(counts.frozen());
    assertThat(blocks(restored)).as("seed %d", seed).isEqualTo(expected);
    assertThat(restored.size()).as("seed %d", seed).isEqualTo(counts.size());
  }

  private static Map<Long, Integer> blocks(PlacementCounts counts) {
    Map<Long, Integer> blocks = new TreeMap<>();
    counts.forEach((address, further) -> blocks.put(address, 1 + (int) further));
    return blocks;
  }

  /// As a checkpoint stores them and an open reads them.
  private static PlacementCounts stored(PlacementCounts.Frozen rows) {
    PlacementCounts restored = new PlacementCounts();
    rows.forEach(
        row -> {
          ByteSink out = new ByteSink(64);
          row.row().encode(out);
          SegmentCounts read = SegmentCounts.of(PlacementRow.decode(new ByteSource(out.toBytes())));
          read.check(BLOCKS);
          restored.restore(read);
        });
    return restored;
  }

  @Test
  void whatACheckpointTookStaysAsItWas() {
    long address = BlockAddress.of(1, 5, 1);
    long other = BlockAddress.of(2, 5, 1);
    counts.add(address, 1);
    counts.add(other, 1);
    PlacementCounts.Frozen first = counts.frozen();
    counts.add(address, 1);
    counts.remove(other);
    PlacementCounts.Frozen second = counts.frozen();
    counts.remove(address);
    counts.remove(address);

    assertThat(blocks(stored(first))).isEqualTo(Map.of(address, 2, other, 2));
    assertThat(blocks(stored(second))).isEqualTo(Map.of(address, 3));
    assertThat(counts.size()).isZero();
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
    SegmentCounts segment = new SegmentCounts(1, 0);
    long empty = segment.bytes();
    int[] order = new SplittableRandom(7).ints(0, BLOCKS).distinct().limit(BLOCKS).toArray();
    for (int block : order) {
      segment.add(block, 2);
    }

    assertThat(segment.counted()).isEqualTo(BLOCKS);
    assertThat(segment.bytes() - empty).isEqualTo(4 * 4);
    segment.add(300, -1);
    assertThat(segment.bytes() - empty).as("with two bits a block").isEqualTo(4 * 4 + 16 + 64);
    assertThat(segment.of(299)).isEqualTo(2);
    assertThat(segment.of(300)).isEqualTo(1);
    assertThat(segment.of(BLOCKS)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 32, 1L << 40})
  void numbersGoOnBehindWhatAnIntegerHolds(long border) {
    long address = BlockAddress.of(1, 5, 1);
    counts.add(address, border - 2);
    for (int i = 0; i < 3; i++) {
      assertThat(counts.of(address)).isEqualTo(border - 1 + i);
      counts.add(address, 1);
    }
    PlacementCounts restored = stored(counts.frozen());
    for (int i = 0; i < 4; i++) {
      assertThat(restored.of(address)).isEqualTo(border + 2 - i);
      assertThat(restored.remove(address)).isFalse();
    }
  }

  @Test
  void moreThanCanBeCountedStayAndLessThanNoneAreRefused() {
    long address = BlockAddress.of(1, 5, 1);
    counts.add(address, Long.MAX_VALUE - 1);
    counts.add(address, 5);
    assertThat(counts.of(address)).isEqualTo(Long.MAX_VALUE);
    assertThat(counts.remove(address)).isFalse();
    assertThat(stored(counts.frozen()).of(address)).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> new SegmentCounts(1, 0).add(5, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// 2^32 blocks, 16 TiB, of which each was copied once. Their segments are as many as those of a
  /// pool with zones of 64 MiB.
  @Test
  void asManyBlocksAsAnIntegerCannotCountAreCounted() {
    int segments = 1 << 18;
    SegmentCounts all = new SegmentCounts(0, 0);
    for (int block = 0; block < 1 << 14; block++) {
      all.add(block, 1);
    }
    for (int segment = 1; segment <= segments; segment++) {
      counts.restore(all.copy(segment, 0));
    }
    assertThat(counts.size()).isEqualTo(1L << 32);

    long last = BlockAddress.of(segments, (1 << 14) - 1, 1);
    assertThat(counts.of(last)).as("placements of the last one").isEqualTo(2);
    assertThat(counts.remove(last)).as("whether it is free").isFalse();
    assertThat(counts.size()).isEqualTo((1L << 32) - 1);
    assertThat(counts.remove(last)).as("whether it is free").isTrue();
  }
}
