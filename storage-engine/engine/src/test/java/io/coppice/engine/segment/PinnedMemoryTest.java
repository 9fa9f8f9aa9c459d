package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PoolLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// What stays in memory for what is stored, whatever the budget for maps: counted for an eighth of
/// a TiB, with an eighth of the default budget, after a checkpoint, and given for a whole one. The
/// table in `docs/snapshots.md` has these figures.
class PinnedMemoryTest {

  private static final int ZONE = 32 << 20;
  private static final int BLOCKS = ZONE / 4096;
  private static final int FULL_ZONES = 4096; // 128 GiB
  private static final long BOUND = 12L << 20;
  private static final long PAGE_MEMORY = (256L << 20) / 16 / 8;
  private static final int FIRST_META = 4 * FULL_ZONES;

  private final SplittableRandom random = new SplittableRandom(12);

  @Test
  void writtenInLargePieces() {
    assertThat(perTebibyte(stored(block -> block % 512 != 0))).isLessThan(BOUND);
  }

  @Test
  void writtenInLargePiecesAndAHundredthOverwritten() {
    assertThat(perTebibyte(stored(block -> block % 512 != 0 && random.nextInt(100) > 0)))
        .isLessThan(BOUND);
  }

  @Test
  void writtenAtRandomAndAThirdOverwritten() {
    assertThat(perTebibyte(stored(_ -> random.nextInt(3) > 0))).isLessThan(BOUND);
  }

  @Test
  void cleanedWhenAQuarterWasDead() {
    Segments segments = stored(block -> block % 32 != 0 && random.nextInt(4) > 0);
    int target = FULL_ZONES;
    int at = BLOCKS;
    int host = 0;
    for (int id = 0; id < FULL_ZONES; id++) {
      for (int block = 0; block < BLOCKS; block++) {
        if (at == BLOCKS) {
          host = segments.takeZone();
          segments.add(target, Segment.Kind.LOG, host);
          segments.seal(target++);
          at = 0;
        }
        if (at % 65 == 0) {
          at++; // a header before each piece
        }
        if (segments.move(id, block, (long) host * BLOCKS + at)) {
          at++;
        }
      }
    }
    assertThat(perTebibyte(segments)).isLessThan(BOUND);
  }

  private static Segments stored(IntPredicate lives) {
    Segments segments = new Segments(ZONE, 2 * FULL_ZONES + 64);
    for (int id = 0; id < FULL_ZONES; id++) {
      segments.add(id, Segment.Kind.LOG, segments.takeZone());
      for (int block = 0; block < BLOCKS; block++) {
        if (lives.test(block)) {
          segments.placed(BlockAddress.of(id, block, 1));
        }
      }
      segments.seal(id);
    }
    return segments;
  }

  private static long perTebibyte(Segments segments) {
    checkpoint(segments);
    long stored = (long) FULL_ZONES * ZONE;
    long bytes = (long) ((double) segments.pinnedBytes() * (1L << 40) / stored);
    System.out.printf("pinned for each TiB: %.1f MiB%n", bytes / 1048576.0);
    return bytes;
  }

  /// As a checkpoint does it, with no device: the pages go among nodes that nobody reads.
  private static void checkpoint(Segments segments) {
    Pages pages =
        new Pages(
            segments,
            PAGE_MEMORY,
            (segment, at) -> {
              throw new AssertionError("expected no page to be read, was segment " + segment);
            });
    int meta = FIRST_META;
    int block = BLOCKS;
    List<Pages.Stored> stored = new ArrayList<>();
    for (CutPage row : pages.cut()) {
      if (row instanceof CutPage.Fresh fresh) {
        PageImage image = fresh.content().image();
        ByteSink bytes = new ByteSink(1 << 12);
        image.encode(bytes);
        int length = PoolLayout.blocksFor(PageImage.length(bytes.toBytes()));
        if (block + length > BLOCKS) {
          segments.add(++meta, Segment.Kind.META, segments.takeZone());
          block = 0;
        }
        StoredPage at = new StoredPage(BlockAddress.of(meta, block, length), 0);
        block += length;
        stored.add(
            new Pages.Stored(
                fresh.counts().segment(), fresh.sealed(), at, ZoneExtents.of(image, BLOCKS)));
      }
    }
    pages.stored(stored, List.of(), Runnable::run);
  }
}
