package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Pages of segments as they stand on the device.
class PageImageTest {

  private static final UUID POOL = new UUID(5, 6);
  private static final long SELF = BlockAddress.of(7, 3, 1);
  private static final int BLOCKS = 512;
  private static final int SEGMENT = 9;

  @Test
  void aPageReadsAsItWasWritten() {
    for (long seed = 8_800_000; seed < 8_800_100; seed++) {
      PageImage page = page(new SplittableRandom(seed));
      ByteBuffer bytes = sealed(page);
      PageImage read =
          PageImage.decode(bytes, POOL, SELF, StructureHeader.crcOf(bytes), SEGMENT, BLOCKS);

      assertThat(read.alive()).as("seed %d", seed).isEqualTo(page.alive());
      assertThat(read.moved()).as("seed %d", seed).isEqualTo(page.moved());
      assertThat(read.places()).as("seed %d", seed).isEqualTo(page.places());
    }
  }

  @Test
  void thePageOfAnotherSegmentPlaceOrTimeIsRefused() {
    ByteBuffer bytes = sealed(page(new SplittableRandom(1)));
    int crc = StructureHeader.crcOf(bytes);

    assertRefused(bytes, POOL, SELF, crc, SEGMENT + 1, BLOCKS);
    assertRefused(bytes, POOL, BlockAddress.of(7, 4, 1), crc, SEGMENT, BLOCKS);
    assertRefused(bytes, POOL, SELF, crc + 1, SEGMENT, BLOCKS);
    assertRefused(bytes, new UUID(5, 7), SELF, crc, SEGMENT, BLOCKS);
    assertRefused(bytes, POOL, SELF, crc, SEGMENT, BLOCKS / 2);
  }

  @Test
  void movedBlocksThatDoNotLiveAreRefused() {
    long[] alive = new long[BLOCKS / 64];
    long[] moved = new long[BLOCKS / 64];
    moved[2] = 4;
    ByteBuffer bytes = sealed(new PageImage(SEGMENT, alive, moved, new long[] {77}));

    assertRefused(bytes, POOL, SELF, StructureHeader.crcOf(bytes), SEGMENT, BLOCKS);
  }

  @Test
  void bytesThatNobodyWroteAreRefusedOrRead() {
    SplittableRandom random = new SplittableRandom(8_900_000);
    for (int i = 0; i < 4; i++) {
      ByteSink out = new ByteSink(64);
      page(random).encode(out);
      byte[] bytes = out.toBytes();
      Hostile hostile =
          new Hostile(each -> PageImage.decode(SEGMENT, new ByteSource(each), BLOCKS));
      hostile.truncated(bytes).extreme(bytes).random(bytes, random, 2000);
      assertThat(hostile.refused()).isPositive();
    }
  }

  private static void assertRefused(
      ByteBuffer bytes, UUID pool, long self, int crc, int segment, int blocks) {
    assertThatThrownBy(() -> PageImage.decode(bytes, pool, self, crc, segment, blocks))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("expected");
  }

  private static ByteBuffer sealed(PageImage page) {
    ByteSink out = new ByteSink(64);
    page.encode(out);
    ByteBuffer bytes = ByteBuffer.allocate(4 * 4096).order(ByteOrder.LITTLE_ENDIAN);
    PageImage.seal(bytes, POOL, SELF, page.segment(), out.toBytes());
    return bytes;
  }

  private static PageImage page(SplittableRandom random) {
    long[] alive = new long[BLOCKS / 64];
    long[] moved = new long[BLOCKS / 64];
    long[] places = new long[BLOCKS];
    int n = 0;
    long place = 5;
    int most = 1 + random.nextInt(4);
    for (int block = 0; block < BLOCKS; block++) {
      if (random.nextInt(most) == 0) {
        alive[block / 64] |= 1L << block;
        if (random.nextInt(3) > 0) {
          moved[block / 64] |= 1L << block;
          place = random.nextInt(50) == 0 ? random.nextLong(1L << 40) : place + 1;
          places[n++] = place;
        }
      }
    }
    return new PageImage(SEGMENT, alive, moved, Arrays.copyOf(places, n));
  }
}
