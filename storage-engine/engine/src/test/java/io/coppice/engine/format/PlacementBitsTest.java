package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacementBitsTest {

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void aStretchIsAnArrayOfNumbers() {
    for (int round = 0; round < 50; round++) {
      long[] expected = new long[PlacementBits.STRETCH];
      long @Nullable [] stretch = null;
      for (int step = 0; step < 2_000; step++) {
        int i = random.nextInt(PlacementBits.STRETCH);
        long number = random.nextLong(1L << random.nextInt(63));
        expected[i] = number;
        stretch = PlacementBits.with(stretch, i, number);
        assertThat(PlacementBits.get(stretch, i)).as("seed %d", seed).isEqualTo(number);
      }
      assertEqual(expected, stretch);
      assertEqual(expected, PlacementBits.narrowed(stretch));
    }
  }

  private void assertEqual(long[] expected, long @Nullable [] stretch) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(PlacementBits.get(stretch, i)).as("seed %d, %d", seed, i).isEqualTo(expected[i]);
    }
  }

  @Test
  void equalNumbersTakeOneWordAndNoneTakesNothing() {
    for (long number : new long[] {1, 2, 63, 64, 255, 1L << 31, 1L << 32, Long.MAX_VALUE}) {
      long @Nullable [] stretch = null;
      for (int i = 0; i < PlacementBits.STRETCH; i++) {
        stretch = PlacementBits.with(stretch, i, number);
      }
      assertThat(stretch).containsExactly(number);
      long @Nullable [] one = PlacementBits.with(stretch, 7, number - 1);
      assertThat(PlacementBits.with(one, 7, number)).containsExactly(number);
      for (int i = 0; i < PlacementBits.STRETCH; i++) {
        stretch = PlacementBits.with(stretch, i, 0);
      }
      assertThat(stretch).isNull();
    }
  }

  @Test
  void whatIsWrittenReads() {
    for (int round = 0; round < 200; round++) {
      long[] @Nullable [] stretches = new long[1 + random.nextInt(64)][];
      for (int at = 0; at < stretches.length; at++) {
        stretches[at] = at > 0 && random.nextBoolean() ? stretches[at - 1] : any();
      }
      ByteSink out = new ByteSink(64);
      PlacementBits.encode(out, stretches);
      ByteSource in = new ByteSource(out.toBytes());
      long[] @Nullable [] read = PlacementBits.decode(in);

      assertThat(in.isEmpty()).as("seed %d", seed).isTrue();
      assertThat(read).as("seed %d", seed).hasNumberOfRows(stretches.length);
      for (int at = 0; at < stretches.length; at++) {
        for (int i = 0; i < PlacementBits.STRETCH; i++) {
          assertThat(PlacementBits.get(read[at], i))
              .as("seed %d", seed)
              .isEqualTo(PlacementBits.get(stretches[at], i));
        }
      }
    }
  }

  private long @Nullable [] any() {
    long @Nullable [] stretch = PlacementBits.same(random.nextInt(3) * 40L);
    for (int n = random.nextInt(4); n > 0; n--) {
      stretch =
          PlacementBits.with(
              stretch,
              random.nextInt(PlacementBits.STRETCH),
              random.nextLong(1L << random.nextInt(63)));
    }
    return stretch;
  }

  @Test
  void everyOtherBlockOfAZoneTakesABitOfOneStretch() {
    long @Nullable [] stretch = null;
    for (int i = 1; i < PlacementBits.STRETCH; i += 2) {
      stretch = PlacementBits.with(stretch, i, 1);
    }
    long[] @Nullable [] stretches = new long[32][];
    java.util.Arrays.fill(stretches, stretch);
    ByteSink out = new ByteSink(64);
    PlacementBits.encode(out, stretches);
    assertThat(out.toBytes()).hasSize(4 + 1 + 32 + 1);
  }

  @Test
  void whatNoEngineWroteIsRefused() {
    ByteSink none = new ByteSink(64).u32(0);
    ByteSink tooMany = new ByteSink(64).u32(65);
    ByteSink form = new ByteSink(64).u32(1).u8(3);
    ByteSink negative = new ByteSink(64).u32(1).u8(0).u64(-1);
    ByteSink first = new ByteSink(64).u32(2).u8(128);
    ByteSink more = new ByteSink(64).u32(2).u8(0).u64(1).u8(129);
    ByteSink less = new ByteSink(64).u32(2).u8(0).u64(1);
    for (ByteSink each : new ByteSink[] {none, tooMany, form, negative, first, more, less}) {
      assertThatThrownBy(() -> PlacementBits.decode(new ByteSource(each.toBytes())))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("expected ");
    }
  }
}
