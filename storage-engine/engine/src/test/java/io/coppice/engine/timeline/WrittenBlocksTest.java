package io.coppice.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The set of blocks that were written over, beside a plain set.
class WrittenBlocksTest {

  private static final long LEAF = 512;

  @Test
  void itIsASetOfBlocks() {
    SplittableRandom random = new SplittableRandom(3);
    WrittenBlocks blocks = new WrittenBlocks();
    for (int round = 0; round < 20; round++) {
      Set<Long> known = new HashSet<>();
      Set<Long> leaves = new HashSet<>();
      long bound = 1L << random.nextInt(4, 36);
      int adds = random.nextInt(1, 20_000);
      for (int i = 0; i < adds; i++) {
        long block = random.nextLong(bound);
        leaves.add(block / LEAF);
        assertThat(blocks.add(block)).isEqualTo(known.add(block));
      }
      assertThat(blocks.leaves()).isEqualTo(leaves.size());
      blocks.clear();
      assertThat(blocks.leaves()).isZero();
    }
  }

  @Test
  void leavesOfOneDistanceFindTheirPlaces() {
    for (long distance = 1; distance < 1L << 26; distance *= 2) {
      WrittenBlocks blocks = new WrittenBlocks();
      for (int i = 0; i < 300; i++) {
        assertThat(blocks.add(i * distance * LEAF)).isTrue();
        assertThat(blocks.add(i * distance * LEAF)).isFalse();
      }
      assertThat(blocks.leaves()).isEqualTo(300);
    }
  }

  @Test
  void anEmptySetIsSmall() {
    WrittenBlocks blocks = new WrittenBlocks();
    long empty = blocks.bytes();
    for (int i = 0; i < 10_000; i++) {
      blocks.add(i * LEAF);
    }
    blocks.clear();
    blocks.add(1);
    blocks.clear();
    blocks.clear();

    assertThat(blocks.bytes()).isEqualTo(empty).isLessThan(500);
  }
}
