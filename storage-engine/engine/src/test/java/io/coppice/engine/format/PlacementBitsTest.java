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
  void aGroupIsAnArrayOfNumbers() {
    for (int round = 0; round < 50; round++) {
      long[] expected = new long[PlacementBits.GROUP];
      long @Nullable [] group = null;
      for (int step = 0; step < 2_000; step++) {
        int i = random.nextInt(PlacementBits.GROUP);
        long number = random.nextLong(1L << random.nextInt(63));
        expected[i] = number;
        group = PlacementBits.with(group, i, number);
        assertThat(PlacementBits.get(group, i)).as("seed %d", seed).isEqualTo(number);
      }
      assertEqual(expected, group);
      assertEqual(expected, PlacementBits.narrowed(group));
    }
  }

  private void assertEqual(long[] expected, long @Nullable [] group) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(PlacementBits.get(group, i)).as("seed %d, %d", seed, i).isEqualTo(expected[i]);
    }
  }

  @Test
  void equalNumbersTakeOneWordAndNoneTakesNothing() {
    for (long number : new long[] {1, 2, 63, 64, 255, 1L << 31, 1L << 32, Long.MAX_VALUE}) {
      long @Nullable [] group = null;
      for (int i = 0; i < PlacementBits.GROUP; i++) {
        group = PlacementBits.with(group, i, number);
      }
      assertThat(group).containsExactly(number);
      long @Nullable [] one = PlacementBits.with(group, 7, number - 1);
      assertThat(PlacementBits.with(one, 7, number)).containsExactly(number);
      for (int i = 0; i < PlacementBits.GROUP; i++) {
        group = PlacementBits.with(group, i, 0);
      }
      assertThat(group).isNull();
    }
  }

  @Test
  void whatIsWrittenReads() {
    for (int round = 0; round < 200; round++) {
      long[] @Nullable [] groups = new long[1 + random.nextInt(64)][];
      for (int at = 0; at < groups.length; at++) {
        groups[at] = at > 0 && random.nextBoolean() ? groups[at - 1] : any();
      }
      ByteSink out = new ByteSink(64);
      PlacementBits.encode(out, groups);
      ByteSource in = new ByteSource(out.toBytes());
      long[] @Nullable [] read = PlacementBits.decode(in);

      assertThat(in.isEmpty()).as("seed %d", seed).isTrue();
      assertThat(read).as("seed %d", seed).hasNumberOfRows(groups.length);
      for (int at = 0; at < groups.length; at++) {
        for (int i = 0; i < PlacementBits.GROUP; i++) {
          assertThat(PlacementBits.get(read[at], i))
              .as("seed %d", seed)
              .isEqualTo(PlacementBits.get(groups[at], i));
        }
      }
    }
  }

  private long @Nullable [] any() {
    long @Nullable [] group = PlacementBits.same(random.nextInt(3) * 40L);
    for (int n = random.nextInt(4); n > 0; n--) {
      group =
          PlacementBits.with(
              group,
              random.nextInt(PlacementBits.GROUP),
              random.nextLong(1L << random.nextInt(63)));
    }
    return group;
  }

  @Test
  void everyOtherBlockOfAZoneTakesABitOfOneGroup() {
    long @Nullable [] group = null;
    for (int i = 1; i < PlacementBits.GROUP; i += 2) {
      group = PlacementBits.with(group, i, 1);
    }
    long[] @Nullable [] groups = new long[32][];
    java.util.Arrays.fill(groups, group);
    ByteSink out = new ByteSink(64);
    PlacementBits.encode(out, groups);
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
