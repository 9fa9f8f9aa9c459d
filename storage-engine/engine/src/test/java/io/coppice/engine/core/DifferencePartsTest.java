package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.range.DifferencePart.Place;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Parts of differences: how long one may take, what may happen to the volumes between two of them,
/// and what is refused.
class DifferencePartsTest {

  private static final int BLOCK = 4096;
  private static final long LEAF = 512L * BLOCK;
  private static final int LEAVES = 2600;

  private final PoolFixture pool = PoolFixture.ofBytes(256 << 20);
  private RedirectOnWriteEngine engine =
      pool.options(
              EngineOptions.defaults()
                  .withReaderThreads(1)
                  .withMapMemoryBytes(EngineOptions.MIN_MAP_MEMORY))
          .format()
          .open();
  private final VolumeId disk = VolumeId.random();

  @AfterEach
  void close() {
    engine.close();
    pool.whole();
  }

  private void create() {
    engine.create(OperationId.random(), VolumeSpec.thin(disk, LEAVES * LEAF));
  }

  private void write(long offset) {
    byte[] bytes = new byte[BLOCK];
    Arrays.fill(bytes, (byte) 7);
    engine.open(disk).write(offset, ByteBuffer.wrap(bytes));
  }

  private VolumeId snapshot() {
    VolumeId id = VolumeId.random();
    SnapshotSpec spec = new SnapshotSpec(disk, id, Map.of());
    engine.snapshot(OperationId.random(), List.of(spec), Duration.ofSeconds(10));
    return id;
  }

  private static Place next(DifferencePart part) {
    return Objects.requireNonNull(part.next());
  }

  private DifferencePart part(@Nullable VolumeId base, Place from, int most) {
    return engine.differences(disk, base, from, most);
  }

  /// A block in each of many leaves, at their borders, so that the whole is one range.
  @Test
  void aPartLooksAtSoManyLeavesAndMayEndInsideARange() {
    create();
    VolumeId empty = snapshot();
    for (int i = 0; i < LEAVES; i++) {
      write(i * LEAF);
    }

    DifferencePart first = part(empty, Place.START, 100_000);
    DifferencePart second = part(empty, next(first), 100_000);

    assertThat(first.ranges()).hasSize(2048);
    assertThat(next(first).offset()).isEqualTo(2048 * LEAF);
    assertThat(second.ranges()).hasSize(LEAVES - 2048);
    assertThat(second.next()).isNull();
  }

  /// The volume has thousands of leaves, and a few of them changed.
  @Test
  void theCostIsInWhatDiffers() {
    create();
    for (int i = 0; i < LEAVES; i++) {
      write(i * LEAF);
    }
    VolumeId before = snapshot();
    write(3 * LEAF);
    write(3 * LEAF + BLOCK);
    write(1000 * LEAF + 5 * BLOCK);
    engine.close();
    engine = pool.open();
    long read = engine.counters().deviceBytesRead();

    DifferencePart all = part(before, Place.START, 10);

    assertThat(all.ranges())
        .containsExactly(
            new ByteRange(3 * LEAF, 2 * BLOCK), new ByteRange(1000 * LEAF + 5 * BLOCK, BLOCK));
    assertThat(all.next()).isNull();
    assertThat(engine.counters().deviceBytesRead() - read)
        .as("bytes read for it, of %d of leaves", LEAVES * 2L * BLOCK)
        .isLessThan(1 << 20);
  }

  @Test
  void partsGoOnOverSnapshotsClonesGrowthMergesAndARestart() {
    create();
    VolumeId before = snapshot();
    for (int i = 0; i < 6; i++) {
      write(i * LEAF);
    }
    Place place = next(part(before, Place.START, 1));

    VolumeId middle = snapshot();
    write(LEAF);
    engine.clone(OperationId.random(), new CloneSpec(disk, VolumeId.random(), false, Map.of()));
    engine.resize(OperationId.random(), disk, (LEAVES + 1) * LEAF);
    DifferencePart second = part(before, place, 1);
    assertThat(second.ranges()).containsExactly(new ByteRange(LEAF, BLOCK));

    engine.delete(OperationId.random(), middle);
    engine.awaitReclaim();
    engine.close();
    engine = pool.open();
    write(LEAVES * LEAF);
    DifferencePart third = part(before, next(second), 9);
    assertThat(third.ranges()).hasSize(5).endsWith(new ByteRange(LEAVES * LEAF, BLOCK));
    assertThat(part(before, place, 9).ranges()).as("an older place holds, too").hasSize(6);
  }

  @Test
  void aRevertBetweenTwoPartsIsRefused() {
    create();
    VolumeId before = snapshot();
    write(0);
    write(LEAF);
    VolumeId after = snapshot();
    write(2 * LEAF);
    Place place = next(part(before, Place.START, 1));
    Place ofSnapshots = next(engine.differences(after, before, Place.START, 1));
    Place backwards = next(engine.differences(before, disk, Place.START, 1));

    engine.revert(OperationId.random(), disk, after);

    assertThatThrownBy(() -> part(before, place, 1))
        .isInstanceOf(StorageException.Overtaken.class)
        .hasMessageContaining(disk.toString());
    assertThatThrownBy(() -> engine.differences(before, disk, backwards, 1))
        .isInstanceOf(StorageException.Overtaken.class)
        .hasMessageContaining(disk.toString());
    assertThat(engine.differences(after, before, ofSnapshots, 1).ranges())
        .containsExactly(new ByteRange(LEAF, BLOCK));
    assertThat(part(before, Place.START, 9).ranges()).hasSize(2);
  }

  @Test
  void aPlaceThatNobodyMadeIsRefusedOrAtTheEnd() {
    create();
    VolumeId before = snapshot();
    write(0);

    for (int version : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> part(before, new Place(BLOCK, version, version), 1))
          .isInstanceOf(StorageException.Overtaken.class);
    }
    for (long offset : new long[] {-BLOCK, 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> part(before, new Place(offset, 1, 1), 1))
          .isInstanceOf(StorageException.InvalidRequest.class)
          .hasMessageContaining("multiple of 4096, got " + offset);
    }
    Place far = new Place(Long.MAX_VALUE / BLOCK * BLOCK, 1, 1);
    assertThat(part(before, far, 1)).isEqualTo(new DifferencePart(List.of(), null));
    assertThatThrownBy(() -> part(before, Place.START, -1))
        .isInstanceOf(StorageException.InvalidRequest.class);
  }
}
