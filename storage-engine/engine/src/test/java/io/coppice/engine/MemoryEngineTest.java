package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.MemoryEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The model itself: that snapshots keep their content, and repeats change nothing.
class MemoryEngineTest extends SharingContract {

  @Override
  StorageEngine fresh(long capacityInBytes) {
    return new MemoryEngine(capacityInBytes, InstantSource.system());
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    return engine;
  }

  private static final Completion MUST_SUCCEED =
      new Completion() {
        @Override
        public void succeeded() {}

        @Override
        public void failed(StorageException failure) {
          throw failure;
        }
      };

  @Test
  void aSnapshotKeepsWhatTheVolumeHeld() {
    try (MemoryEngine engine = new MemoryEngine()) {
      VolumeId volume = VolumeId.random();
      VolumeId snapshot = VolumeId.random();
      engine.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
      engine.open(volume).write(512, ByteBuffer.wrap(new byte[512]).put(0, (byte) 7), MUST_SUCCEED);

      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(volume, snapshot, Map.of())),
          Duration.ofSeconds(1));
      engine.open(volume).write(512, ByteBuffer.wrap(new byte[512]).put(0, (byte) 8), MUST_SUCCEED);

      assertThat(byteAt(engine, snapshot, 512)).isEqualTo((byte) 7);
      assertThat(byteAt(engine, volume, 512)).isEqualTo((byte) 8);
    }
  }

  @Test
  void aRevertRepeatedWithItsIdLosesNoLaterWrite() {
    try (MemoryEngine engine = new MemoryEngine()) {
      VolumeId volume = VolumeId.random();
      VolumeId snapshot = VolumeId.random();
      engine.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(volume, snapshot, Map.of())),
          Duration.ofSeconds(1));
      OperationId revert = OperationId.random();
      engine.revert(revert, volume, snapshot);
      engine.open(volume).write(0, ByteBuffer.wrap(new byte[512]).put(0, (byte) 9), MUST_SUCCEED);

      engine.revert(revert, volume, snapshot);

      assertThat(byteAt(engine, volume, 0)).isEqualTo((byte) 9);
    }
  }

  private static byte byteAt(StorageEngine engine, VolumeId id, long offset) {
    ByteBuffer sector = ByteBuffer.allocate(512);
    engine.open(id).read(offset, sector, MUST_SUCCEED);
    return sector.get(0);
  }
}
