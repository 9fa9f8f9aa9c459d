package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.format.BlockAddress;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// What stays in memory for what is stored, whatever the budget for maps: counted for an eighth of
/// a TiB and given for a whole one. The table in `docs/snapshots.md` has these bounds.
class PinnedMemoryTest {

  private static final int ZONE = 32 << 20;
  private static final int BLOCKS = ZONE / 4096;
  private static final int FULL_ZONES = 4096; // 128 GiB
  private static final long MIB = 1L << 20;

  private final SplittableRandom random = new SplittableRandom(12);

  @Test
  void writtenInLargePieces() {
    assertThat(perTebibyte(stored(block -> block % 512 != 0))).isLessThan(12 * MIB);
  }

  @Test
  void writtenInLargePiecesAndAHundredthOverwritten() {
    assertThat(perTebibyte(stored(block -> block % 512 != 0 && random.nextInt(100) > 0)))
        .isLessThan(20 * MIB);
  }

  @Test
  void writtenAtRandomAndAThirdOverwritten() {
    assertThat(perTebibyte(stored(_ -> random.nextInt(3) > 0))).isLessThan(40 * MIB);
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
    assertThat(perTebibyte(segments)).isLessThan(160 * MIB);
  }

  private static Segments stored(IntPredicate lives) {
    Segments segments = new Segments(ZONE, 2 * FULL_ZONES);
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
    long stored = (long) FULL_ZONES * ZONE;
    long bytes = (long) ((double) segments.pinnedBytes() * (1L << 40) / stored);
    System.out.printf("pinned for each TiB: %.1f MiB%n", bytes / 1048576.0);
    return bytes;
  }
}
