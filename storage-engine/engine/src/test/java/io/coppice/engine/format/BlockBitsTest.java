package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Sets of blocks and places as the tables of a checkpoint have them.
class BlockBitsTest {

  @Test
  void setsOfAnySizeReadAsTheyWereWritten() {
    for (long seed = 5_400_000; seed < 5_400_200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] words = new long[random.nextBoolean() ? 1 : 128];
      int oneIn = 1 + random.nextInt(300);
      boolean inverted = random.nextBoolean();
      for (int block = 0; block < 64 * words.length; block++) {
        if (random.nextInt(oneIn) == 0 != inverted) {
          words[block / 64] |= 1L << block;
        }
      }
      ByteSink out = new ByteSink(64);
      BlockBits.encode(out, words);
      ByteSource in = new ByteSource(out.toBytes());

      assertThat(BlockBits.decode(in)).as("seed %d", seed).isEqualTo(words);
      assertThat(in.isEmpty()).as("seed %d", seed).isTrue();
      assertThat(out.toBytes().length)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(9 + 8 * words.length);
    }
  }

  @Test
  void placesInAnyOrderReadAsTheyWereWritten() {
    for (long seed = 5_500_000; seed < 5_500_200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] places = new long[random.nextInt(400)];
      long at = random.nextInt(4);
      for (int i = 0; i < places.length; i++) {
        at =
            switch (random.nextInt(20)) {
              case 0 -> random.nextLong(1L << 40);
              case 1 -> at + random.nextInt(300);
              default -> at + 1;
            };
        places[i] = at;
      }
      ByteSink out = new ByteSink(64);
      BlockBits.encodePlaces(out, places);
      ByteSource in = new ByteSource(out.toBytes());

      assertThat(BlockBits.decodePlaces(in, places.length)).as("seed %d", seed).isEqualTo(places);
      assertThat(in.isEmpty()).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void aSegmentThatWasWrittenOrCleanedTakesFewBytes() {
    long[] written = new long[128];
    Arrays.fill(written, -1);
    for (int block = 0; block < 8192; block += 512) {
      written[block / 64] &= ~(1L << block);
    }
    long[] moved = new long[8192 - 16];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = 1_000_000L + i + i / 64; // a header after each piece
    }
    ByteSink out = new ByteSink(64);
    BlockBits.encode(out, written);
    assertThat(out.toBytes().length).isEqualTo(4 + 1 + 4 + 2 * 16);
    BlockBits.encodePlaces(out, moved);
    assertThat(out.toBytes().length).isLessThan(400);
  }

  @Test
  void whatIsNoSetIsRefused() {
    assertRefused(64, 3, 0);
    assertRefused(63, 1, 0);
    assertRefused(1 << 30, 2, 0);
    assertRefused(64, 1, 1, 64);
    assertRefused(64, 1, 2, 9, 9);
    assertRefused(64, 2, 2, 9, 8);
    assertRefused(64, 1, 5, 1);
  }

  private static void assertRefused(int blocks, int form, int count, int... listed) {
    ByteSink out = new ByteSink(64).u32(blocks).u8(form).u32(count);
    for (int block : listed) {
      out.u8(block).u8(block >>> 8);
    }
    assertThatThrownBy(() -> BlockBits.decode(new ByteSource(out.toBytes())))
        .isInstanceOf(FormatException.class);
  }

  @Test
  void aRunOfMorePlacesThanThereAreIsRefused() {
    ByteSource in = new ByteSource(new byte[] {(byte) (127 + 4)});
    assertThatThrownBy(() -> BlockBits.decodePlaces(in, 3)).isInstanceOf(FormatException.class);
  }
}
