package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.Finding;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.superblock.SuperblockArea;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Volumes smaller than 1 MiB, and volumes that end within a MiB.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class SmallVolumesTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  /// The disk of a virtual machine's firmware variables: 132 blocks.
  private static final long SMALL = 528 << 10;

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));

  // ---- the feature

  @Test
  void poolHasTheFeatureFromItsFirstSmallVolumeOn() {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    create(engine, MIB);
    VolumeId ragged = create(engine, MIB + BLOCK);
    engine.resize(OperationId.random(), ragged, MIB + 2 * BLOCK);
    engine.checkpoint();
    assertThat(hasFeature(pool)).isFalse();
    assertThatThrownBy(() -> create(engine, SMALL + 1))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThat(hasFeature(pool)).isFalse();

    VolumeId small = create(engine, SMALL);
    assertThat(hasFeature(pool)).isTrue();

    engine.delete(OperationId.random(), small);
    engine.close();
    RedirectOnWriteEngine again = pool.whole().open();
    again.checkpoint();
    again.close();
    assertThat(hasFeature(pool.whole())).as("it stays").isTrue();
  }

  @Test
  void noCrashLeavesASmallVolumeWithoutTheFeature() {
    int neither = 0;
    int featureAlone = 0;
    int operations = 1;
    for (boolean acknowledged = false; !acknowledged; operations++) {
      PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
      RedirectOnWriteEngine engine = pool.open();
      create(engine, MIB);
      pool.device().losePowerAfter(operations);
      acknowledged = creates(engine);
      engine.abandon();
      PoolFixture found = pool.afterCrash(new SplittableRandom(operations)).whole();
      boolean feature = hasFeature(found);
      RedirectOnWriteEngine again = found.open();
      boolean there = again.find(VOLUME).isPresent();
      assertThat(there || !acknowledged).as("cut off after %d", operations).isTrue();
      assertThat(feature || !there).as("cut off after %d", operations).isTrue();
      neither += feature ? 0 : 1;
      featureAlone += feature && !there ? 1 : 0;
      again.close();
      found.whole();
    }
    assertThat(neither).as("cuts before the feature").isPositive();
    assertThat(featureAlone).as("cuts between the feature and the volume").isPositive();
  }

  @Test
  void fullPoolTakesItsFirstSmallVolume() {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    VolumeId filler = create(engine, 64 * MIB);
    assertThatThrownBy(
            () -> {
              for (long at = 0; ; at += BLOCK) {
                write(engine, filler, at, 1);
              }
            })
        .isInstanceOf(StorageException.OutOfSpace.class);

    VolumeId small = create(engine, SMALL);

    assertThat(hasFeature(pool)).isTrue();
    assertThatThrownBy(() -> write(engine, small, 0, 1))
        .isInstanceOf(StorageException.OutOfSpace.class);
    engine.delete(OperationId.random(), filler);
    write(engine, small, 0, 1);
    engine.close();
    pool.whole();
  }

  private static boolean creates(RedirectOnWriteEngine engine) {
    try {
      engine.create(new OperationId(new UUID(9, 9)), VolumeSpec.thin(VOLUME, SMALL));
      return true;
    } catch (StorageException.DeviceFailed e) {
      return false;
    }
  }

  @Test
  void smallVolumeOfAPoolWithoutTheFeatureIsDamage() {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    create(engine, SMALL);
    engine.close();
    takeFeature(pool.whole().device());

    assertThatThrownBy(pool::open)
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("expected a volume with number, version, id and size of its own");
    assertThat(PoolChecker.check(pool.device(), false).findings())
        .extracting(Finding::sentence)
        .contains("expected a size of 1048576 bytes or more in multiples of 512, found 540672");
  }

  // ---- what it holds

  @ParameterizedTest
  @ValueSource(longs = {BLOCK, SMALL, MIB - BLOCK, MIB + BLOCK, 2 * MIB + SMALL})
  void lastBlockIsTheEnd(long size) {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    VolumeId id = create(engine, size);
    write(engine, id, size - BLOCK, 1);

    assertThatThrownBy(() -> write(engine, id, size, 2))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> Await.io(done -> engine.open(id).unmap(size - BLOCK, 2 * BLOCK, done)))
        .isInstanceOf(StorageException.InvalidRequest.class);

    assertThat(engine.spaceOf(id).mapped()).isEqualTo(BLOCK);
    BitSet last = new BitSet();
    last.set((int) (size / BLOCK) - 1);
    assertThat(engine.allocated(id, new ByteRange(0, size), BLOCK))
        .isEqualTo(new ChunkBitmap((int) (size / BLOCK), last));
    engine.abandon();
    RedirectOnWriteEngine again = pool.whole().open();
    assertThat(again.find(id).orElseThrow().sizeInBytes()).isEqualTo(size);
    assertThat(read(again, id, size - BLOCK)).isEqualTo(content(1));
    again.close();
    pool.whole();
  }

  @Test
  void reservedVolumeSetsAsideItsBlocksAndNoMore() {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    create(engine, SMALL); // the feature's checkpoint
    long before = engine.space().reserved();

    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, SMALL, true, Map.of()));
    assertThat(engine.space().reserved() - before).isEqualTo(SMALL);
    engine.resize(OperationId.random(), id, MIB + BLOCK);
    assertThat(engine.space().reserved() - before).isEqualTo(MIB + BLOCK);
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void smallVolumesLiveAsOthersDo(boolean mirrored) {
    PoolFixture pool =
        (mirrored ? PoolFixture.mirrored(16 << 20) : PoolFixture.ofBytes(16 << 20)).format();
    RedirectOnWriteEngine engine = pool.open();
    VolumeId id = create(engine, SMALL);
    write(engine, id, SMALL - BLOCK, 1);
    VolumeId snapshot = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(id, snapshot, Map.of())),
        Duration.ofSeconds(30));
    VolumeId copy = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(snapshot, copy, false, Map.of()));
    engine.resize(OperationId.random(), id, MIB);
    engine.resize(OperationId.random(), id, MIB + BLOCK);
    write(engine, id, MIB, 2);
    assertThat(read(engine, id, SMALL)).as("what is new").isEqualTo(new byte[BLOCK]);
    engine.checkpoint();
    write(engine, copy, 0, 3);
    assertThatThrownBy(() -> engine.copyDiffs(OperationId.random(), id, snapshot, copy))
        .isInstanceOf(StorageException.class);
    engine.resize(OperationId.random(), copy, MIB + BLOCK);
    engine.copyDiffs(OperationId.random(), id, snapshot, copy);

    engine.abandon();
    RedirectOnWriteEngine again = pool.whole().open();
    assertThat(size(again, snapshot)).isEqualTo(SMALL);
    assertThat(size(again, copy)).isEqualTo(MIB + BLOCK);
    assertThat(read(again, copy, MIB)).isEqualTo(content(2));
    assertThat(read(again, snapshot, SMALL - BLOCK)).isEqualTo(content(1));
    again.revert(OperationId.random(), id, snapshot);
    assertThat(size(again, id)).isEqualTo(SMALL);
    assertThatThrownBy(() -> read(again, id, SMALL))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThat(scrubbed(again).findings()).isEmpty();
    again.list().forEach(info -> again.delete(OperationId.random(), info.id()));
    again.awaitReclaim();
    assertThat(again.space().used()).isZero();
    again.close();
    pool.whole();
  }

  private static ScrubStatus scrubbed(RedirectOnWriteEngine engine) {
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
    engine.scrub().start();
    Await.until("the scrub ends", () -> !engine.scrub().status().running());
    return engine.scrub().status();
  }

  // ---- steps

  private static VolumeId create(RedirectOnWriteEngine engine, long size) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, size));
    return id;
  }

  private static long size(RedirectOnWriteEngine engine, VolumeId id) {
    return engine.find(id).orElseThrow().sizeInBytes();
  }

  private static byte[] content(int number) {
    byte[] content = new byte[BLOCK];
    java.util.Arrays.fill(content, (byte) number);
    return content;
  }

  private static void write(RedirectOnWriteEngine engine, VolumeId id, long offset, int number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).put(content(number)).flip();
    Await.io(done -> engine.open(id).write(offset, bytes, done));
  }

  private static byte[] read(RedirectOnWriteEngine engine, VolumeId id, long offset) {
    ByteBuffer into = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(id).read(offset, into, done));
    byte[] bytes = new byte[BLOCK];
    into.flip().get(bytes);
    return bytes;
  }

  private static boolean hasFeature(PoolFixture pool) {
    return (SuperblockArea.read(pool.device()).require().features().incompatible()
            & Superblock.SMALL_VOLUMES)
        != 0;
  }

  /// Takes the feature away from every superblock.
  private static void takeFeature(SimulatedBlockDevice device) {
    ByteBuffer slot = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = 0; at < PoolLayout.SUPERBLOCK_AREA; at += BLOCK) {
      device.read(at, slot.clear());
      if (Superblock.hasMagic(slot.clear())) {
        slot.putLong(56, slot.getLong(56) & ~Superblock.SMALL_VOLUMES);
        slot.putInt(40, 0);
        slot.putInt(40, new Checksum().of(slot, 0, BLOCK));
        device.writeStable(at, List.of(slot.clear()));
      }
    }
  }
}
