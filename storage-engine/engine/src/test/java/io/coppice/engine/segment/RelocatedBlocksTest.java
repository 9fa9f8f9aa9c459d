package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Places of moved blocks against an array of them.
class RelocatedBlocksTest {

  private static final int BLOCKS = 8192;
  private static final long FAR = 1L << 40; // beyond 16 TiB of blocks

  @Test
  void placesInAnyOrderAreFoundAgain() {
    for (long seed = 5_200_000; seed < 5_200_040; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] model = new long[random.nextBoolean() ? 64 : BLOCKS];
      Arrays.fill(model, RelocatedBlocks.HOME);
      RelocatedBlocks places = new RelocatedBlocks(model.length);
      for (int step = 0; step < 300; step++) {
        change(random, places, model);
      }
      assertAgree(places, model, seed);
    }
  }

  /// A piece as the cleaner moves it, one block, or all of a zone forgotten.
  private static void change(SplittableRandom random, RelocatedBlocks places, long[] model) {
    int block = random.nextInt(model.length);
    long place = FAR * random.nextInt(2) + 64L * random.nextInt(256);
    switch (random.nextInt(8)) {
      case 0 -> {
        places.forget(place, place + 640);
        for (int i = 0; i < model.length; i++) {
          model[i] = model[i] >= place && model[i] < place + 640 ? RelocatedBlocks.HOME : model[i];
        }
      }
      case 1, 2 -> {
        places.set(block, place);
        model[block] = place;
      }
      default -> {
        int oneIn = 1 + random.nextInt(3);
        for (int moved = 0; moved < 64 && block < model.length; block++) {
          if (random.nextInt(oneIn) == 0) {
            places.set(block, place + moved);
            model[block] = place + moved++;
          }
        }
      }
    }
  }

  private static void assertAgree(RelocatedBlocks places, long[] model, long seed) {
    for (int block = 0; block < model.length; block++) {
      assertThat(places.of(block)).as("seed %d, block %d", seed, block).isEqualTo(model[block]);
    }
  }

  @Test
  void aFrozenOneStaysAsItIs() {
    RelocatedBlocks places = new RelocatedBlocks(64);
    places.set(3, 30);
    places.set(4, 31);
    RelocatedBlocks frozen = places.frozen();
    RelocatedBlocks changed = frozen.writable();
    changed.set(4, 99);
    changed.forget(30, 31);

    assertThat(frozen.of(3)).isEqualTo(30);
    assertThat(frozen.of(4)).isEqualTo(31);
    assertThat(changed.of(3)).isEqualTo(RelocatedBlocks.HOME);
    assertThat(changed.of(4)).isEqualTo(99);
  }

  @Test
  void aCleanedSegmentTakesLessThanAnEighthOfAPlaceForEachBlock() {
    SplittableRandom random = new SplittableRandom(64);
    RelocatedBlocks places = new RelocatedBlocks(BLOCKS);
    int moved = 0;
    for (int block = 0; block < BLOCKS; block++) {
      if (random.nextInt(4) > 0) {
        places.set(block, FAR + moved + moved / 64); // a header after each piece
        moved++;
      }
    }
    assertThat(places.bytes()).isLessThan(4L * BLOCKS / 8);
  }
}
