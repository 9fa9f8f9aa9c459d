package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A pool of 64 TB with volumes of 62 TiB and more, on a device that keeps only what was written:
/// numbers of blocks and bytes that no integer holds, at the ends of volumes and of the device.
class GreatPoolTest {

  private static final long DEVICE = 64_000_000_000_000L;
  private static final long TIB = 1L << 40;
  private static final int MIB = 1 << 20;
  private static final VolumeId GREAT = new VolumeId(new UUID(0, 1));
  private static final VolumeId GREATEST = new VolumeId(new UUID(0, 2));

  /// Blocks 2^31 and 2^32 of a volume, and its end.
  private static final long[] BORDERS = {1L << 43, 1L << 44, 62 * TIB};

  private final PoolFixture pool = PoolFixture.ofBytes(DEVICE).zones(32 << 20).readers(2);

  @Test
  void theEndsOfVolumesAndOfTheDeviceAreAsItsBeginning() {
    try (RedirectOnWriteEngine engine = pool.format().open()) {
      engine.create(OperationId.random(), VolumeSpec.thin(GREAT, 62 * TIB));
      engine.create(OperationId.random(), VolumeSpec.thin(GREATEST, 64 * TIB));
      write(engine, 1);
      leaveTheLastZones(engine, 80_000);
      for (int i = 0; i < 3; i++) {
        write(engine.open(GREATEST), i * 32L * MIB, filled(32 * MIB, 9));
      }
      write(engine, 2);
      engine.checkpoint();
      assertThat(pool.device().storedSectors().getLast()).isGreaterThan(DEVICE / 100 * 95 / 512);
      copyToTheOtherEnd(engine);
      SnapshotSpec snapshot = new SnapshotSpec(GREAT, VolumeId.random(), Map.of());
      engine.snapshot(OperationId.random(), List.of(snapshot), Duration.ofMinutes(1));
      engine.abandon();
    }
    PoolFixture after = pool.afterCrash(new SplittableRandom(3));
    try (RedirectOnWriteEngine engine = after.open()) {
      assertHeld(engine);
      assertSpace(engine);
      assertUnmapped(engine);
    }
    after.whole();
  }

  private static void write(RedirectOnWriteEngine engine, int value) {
    for (long border : BORDERS) {
      long at = border == 62 * TIB ? border - MIB : border - MIB / 2;
      write(engine.open(GREAT), at, filled(MIB, value));
    }
    write(engine.open(GREATEST), 64 * TIB - MIB, filled(MIB, value));
  }

  /// As if all others had been written.
  private static void leaveTheLastZones(RedirectOnWriteEngine engine, int left) {
    Segments segments = engine.parts().state().segments();
    engine
        .parts()
        .questions()
        .ask(
            () -> {
              while (segments.freeZones() > left) {
                segments.takeZone();
              }
              return true;
            });
  }

  private static void copyToTheOtherEnd(RedirectOnWriteEngine engine) {
    Volume great = engine.open(GREAT);
    Volume greatest = engine.open(GREATEST);
    Await.io(done -> greatest.copyFrom(great, 62 * TIB - MIB, 48 * TIB, MIB, done));
  }

  private static void assertHeld(RedirectOnWriteEngine engine) {
    for (long border : BORDERS) {
      long at = border == 62 * TIB ? border - MIB : border - MIB / 2;
      assertThat(read(engine.open(GREAT), at)).as("at %d", at).isEqualTo(filled(MIB, 2));
    }
    assertThat(read(engine.open(GREATEST), 64 * TIB - MIB)).isEqualTo(filled(MIB, 2));
    assertThat(read(engine.open(GREATEST), 48 * TIB)).isEqualTo(filled(MIB, 2));
    ByteRange all = new ByteRange(0, 62 * TIB);
    assertThat(engine.allocated(GREAT, all, MIB).set().stream().toArray())
        .containsExactly(
            (1 << 23) - 1, 1 << 23, (1 << 24) - 1, 1 << 24, (int) (62 * TIB / MIB - 1));
    assertThatThrownBy(() -> engine.allocated(GREAT, all, 4096))
        .isInstanceOf(StorageException.InvalidRequest.class)
        .hasMessage(
            "Expected at most 2147483646 chunks, got 68169720922112 bytes in chunks of 4096.");
  }

  private static void assertSpace(RedirectOnWriteEngine engine) {
    PoolSpace before = engine.space();
    assertThat(before.free()).isBetween(40 * TIB, 58 * TIB);
    VolumeSpec most = reserved(40 * TIB);
    engine.create(OperationId.random(), most);
    assertThat(engine.space().reserved()).isEqualTo(40 * TIB);
    assertThatThrownBy(() -> engine.create(OperationId.random(), reserved(62 * TIB)))
        .isInstanceOf(StorageException.OutOfSpace.class)
        .hasMessageContaining("needs " + 62 * TIB + " bytes");
    engine.delete(OperationId.random(), most.id());
    assertThat(engine.space()).isEqualTo(before);
  }

  private static VolumeSpec reserved(long bytes) {
    return new VolumeSpec(VolumeId.random(), bytes, true, Map.of());
  }

  private static void assertUnmapped(RedirectOnWriteEngine engine) {
    Await.io(done -> engine.open(GREAT).writeZeroes(0, 62 * TIB, done));
    assertThat(engine.allocated(GREAT, new ByteRange(0, 62 * TIB), MIB).set().isEmpty()).isTrue();
    Await.io(done -> engine.open(GREATEST).writeZeroes(4 * TIB, 60 * TIB, done));
    assertThat(engine.spaceOf(GREATEST).mapped()).isEqualTo(96L * MIB);
    engine.checkpoint();
  }

  private static void write(Volume volume, long offset, ByteBuffer bytes) {
    for (int at = 0; at < bytes.capacity(); at += MIB) {
      ByteBuffer piece = bytes.slice(at, MIB);
      long to = offset + at;
      Await.io(done -> volume.write(to, piece, done));
    }
  }

  private static ByteBuffer read(Volume volume, long offset) {
    ByteBuffer into = ByteBuffer.allocateDirect(MIB);
    Await.io(done -> volume.read(offset, into, done));
    return into.flip();
  }

  private static ByteBuffer filled(int length, long value) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    while (bytes.hasRemaining()) {
      bytes.putLong(value);
    }
    return bytes.flip();
  }
}
