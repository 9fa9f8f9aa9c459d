package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Sets of blocks against a bit set.
class BlockSetTest {

  @Test
  void whatIsFlippedIsThereUntilItIsFlippedAgain() {
    for (long seed = 5_300_000; seed < 5_300_040; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int blocks = random.nextBoolean() ? 64 : 8192;
      BlockSet set = new BlockSet(blocks);
      BitSet model = new BitSet();
      int from = 0;
      for (int step = 0; step < 400; step++) {
        if (random.nextInt(20) == 0) {
          set = compacted(set, model);
        }
        int run = random.nextInt(10) == 0 ? random.nextInt(blocks) : 1;
        from = random.nextInt(blocks);
        for (int block = from; block < Math.min(blocks, from + run); block++) {
          set.flip(block);
          model.flip(block);
        }
      }
      assertThat(set.toBitSet()).as("seed %d", seed).isEqualTo(model);
      assertThat(compacted(set, model).toBitSet()).as("seed %d", seed).isEqualTo(model);
      assertThat(set.contains(from)).as("seed %d", seed).isEqualTo(model.get(from));
    }
  }

  private static BlockSet compacted(BlockSet set, BitSet model) {
    BlockSet compact = set.writable();
    compact.compact(model.cardinality());
    return compact;
  }

  @Test
  void aFrozenOneStaysAsItIs() {
    BlockSet set = new BlockSet(64);
    set.flip(5);
    BlockSet frozen = set.frozen();
    BlockSet changed = frozen.writable();
    changed.flip(6);

    assertThat(frozen.toBitSet()).isEqualTo(BitSet.valueOf(new long[] {1L << 5}));
    assertThat(changed.contains(6)).isTrue();
  }

  @Test
  void nearlyAllOrNearlyNoneTakesTwoBytesForEachException() {
    for (boolean mostly : new boolean[] {false, true}) {
      BlockSet set = new BlockSet(8192);
      for (int block = 0; block < 8192; block++) {
        if (block % 512 == 0 != mostly) {
          set.flip(block);
        }
      }
      set.compact(mostly ? 8192 - 16 : 16);
      assertThat(set.bytes()).isLessThan(128);
    }
  }
}
