package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A block that one host has repeated and copied, again and again, until a number of its placements
/// would not fit an integer any more.
///
/// To do that in truth takes 8 TiB of a volume, and 64 GiB for its maps. So the placements of which
/// nothing but the number matters are only counted, before the first copy and with a checkpoint:
/// the checker sees as many too many as those are, until they are taken away again.
class PlacementBorderTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final int MIB = 1 << 20;
  private static final long SLICE = 4L * MIB;
  private static final int COPIES = 1024; // of the block, in a slice
  private static final long MOST = Long.MAX_VALUE;

  private PoolFixture pool = PoolFixture.ofBytes(64 * MIB).readers(2);
  private RedirectOnWriteEngine engine = pool.format().open();
  private final PoolSpace free;

  PlacementBorderTest() {
    engine.checkpoint();
    free = engine.space();
    engine.create(new OperationId(new UUID(3, 1)), VolumeSpec.thin(VOLUME, 64L * MIB));
    Await.io(done -> volume().writeSame(0, SLICE, block(), done));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Volume volume() {
    return engine.open(VOLUME);
  }

  private static ByteBuffer block() {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    while (block.hasRemaining()) {
      block.putLong(0x5a);
    }
    return block.flip();
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 32, 1L << 33})
  void copiesGoOnBeyondTheBorderAndNothingIsLeftOfThem(long border) {
    long before = border - 3 * COPIES;
    count(before - COPIES);
    double4MiBTo(32L * MIB);
    assertThat(placements()).isEqualTo(before + 7 * COPIES);

    crash();
    assertThat(placements()).as("replayed").isEqualTo(before + 7 * COPIES);
    assertHeld(32L * MIB);
    engine.checkpoint();
    crash();
    assertThat(placements()).as("stored").isEqualTo(before + 7 * COPIES);

    Await.io(done -> volume().writeZeroes(0, 28L * MIB, done));
    Await.until("they are released", () -> placements() == before);
    count(COPIES - before);
    assertThat(placements()).isEqualTo(COPIES);
    assertIsGoneWithItsVolume();
  }

  @Test
  void moreThanCanBeCountedAreKeptWhereverARecordIsApplied() {
    count(MOST - 2 * COPIES);
    double4MiBTo(32L * MIB);
    assertThat(placements()).isEqualTo(MOST);
    crash();
    assertThat(placements()).as("replayed").isEqualTo(MOST);
    engine.checkpoint();
    crash();
    assertThat(placements()).as("stored").isEqualTo(MOST);
    assertHeld(32L * MIB);

    Await.io(done -> volume().writeZeroes(0, 64L * MIB, done));
    Await.until("all is released", () -> !isReclaiming());
    engine.checkpoint();
    assertThat(placements()).as("a block of which nobody knows them").isEqualTo(MOST);
    CheckReport report = PoolChecker.check(pool.device(), false);
    assertThat(report.findings())
        .anySatisfy(
            finding ->
                assertThat(finding.sentence())
                    .startsWith("expected 9223372036854775807 placements of segment")
                    .endsWith("by the counts, found 0 in the maps"));
  }

  private void assertHeld(long bytes) {
    ByteBuffer into = ByteBuffer.allocateDirect((int) bytes);
    Await.io(done -> volume().read(0, into, done));
    for (into.flip(); into.hasRemaining(); ) {
      if (into.getLong() != 0x5a) {
        throw new AssertionError("expected the block at each place, found another");
      }
    }
  }

  private void assertIsGoneWithItsVolume() {
    engine.checkpoint();
    pool.whole();
    engine.delete(new OperationId(new UUID(3, 2)), VOLUME);
    Await.until("all is released", () -> !isReclaiming());
    engine.checkpoint();
    engine.checkpoint();
    pool.whole();
    assertThat(engine.parts().questions().ask(() -> counts().size())).isZero();
    assertThat(engine.space()).isEqualTo(free);
  }

  private boolean isReclaiming() {
    return engine
        .parts()
        .questions()
        .ask(() -> engine.parts().state().families().isReclaimPending());
  }

  private void double4MiBTo(long end) {
    for (long at = SLICE; at < end; at *= 2) {
      long length = at;
      Await.io(done -> volume().copyFrom(volume(), 0, length, length, done));
    }
  }

  private PlacementCounts counts() {
    return engine.parts().state().segments().counts();
  }

  /// Counts as many more of the one block, in a checkpoint.
  private void count(long more) {
    engine
        .parts()
        .questions()
        .ask(
            () -> {
              counts().add(address(), more);
              return true;
            });
    engine.checkpoint();
  }

  private long address() {
    long[] only = new long[1];
    counts().forEach((address, _) -> only[0] = address);
    return only[0];
  }

  private long placements() {
    return engine.parts().questions().ask(() -> counts().of(address()));
  }

  private void crash() {
    engine.abandon();
    pool = pool.afterCrash(new SplittableRandom(5));
    engine = pool.open();
  }
}
