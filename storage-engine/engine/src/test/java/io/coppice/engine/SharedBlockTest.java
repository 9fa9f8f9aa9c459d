package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Changes that share a 4 KiB block without overlapping, and readers that outlive what they read.
class SharedBlockTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  private final PoolFixture pool = PoolFixture.ofBytes(6 << 20).readers(4);
  private final RedirectOnWriteEngine engine = pool.format().open();

  SharedBlockTest() {
    engine.create(new OperationId(new UUID(3, 1)), VolumeSpec.thin(VOLUME, 1 << 20));
  }

  @Test
  void writesToTheEightSectorsOfOneBlockAllArrive() {
    for (int round = 1; round <= 100; round++) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int sector = 0; sector < 8; sector++) {
        long offset = sector * 512L;
        ByteBuffer bytes = filled(512, round * 8 + sector);
        writes.add(Await.start(done -> engine.open(VOLUME).write(offset, bytes, done)));
      }
      writes.forEach(Await::await);

      for (int sector = 0; sector < 8; sector++) {
        assertThat(read(sector * 512L, 512))
            .as("sector %d in round %d", sector, round)
            .isEqualTo(filled(512, round * 8 + sector));
      }
    }
    engine.close();
  }

  @Test
  void zeroingCopyingAndWritingPartsOfOneBlockAtOnceAllArrive() {
    write(8192, filled(4096, 77));
    for (int round = 1; round <= 100; round++) {
      write(0, filled(4096, 1000 + round));
      ByteBuffer bytes = filled(512, round);
      ByteBuffer repeated = filled(512, -round);
      Volume volume = engine.open(VOLUME);
      List<CompletableFuture<Void>> changes =
          List.of(
              Await.start(done -> volume.write(0, bytes, done)),
              Await.start(done -> volume.writeZeroes(512, 1024, done)),
              Await.start(done -> volume.copyFrom(volume, 8192, 2048, 512, done)),
              Await.start(done -> volume.writeSame(3072, 512, repeated, done)));
      changes.forEach(Await::await);

      assertThat(read(0, 512)).as("written, round %d", round).isEqualTo(filled(512, round));
      assertThat(read(512, 1024)).as("zeroed").isEqualTo(filled(1024, 0));
      assertThat(read(1536, 512)).as("untouched").isEqualTo(filled(512, 1000 + round));
      assertThat(read(2048, 512)).as("copied").isEqualTo(filled(512, 77));
      assertThat(read(2560, 512)).as("untouched").isEqualTo(filled(512, 1000 + round));
      assertThat(read(3072, 512)).as("repeated").isEqualTo(filled(512, -round));
    }
    engine.close();
  }

  @Test
  void aReadThatIsHeldUpReturnsWhatItBeganWithHoweverOftenItsZoneCouldBeReused() throws Exception {
    write(0, filled(4096, 1));
    SimulatedBlockDevice.Held held = pool.device().holdNextRead();
    ByteBuffer into = ByteBuffer.allocateDirect(4096);
    CompletableFuture<Void> read = Await.start(done -> engine.open(VOLUME).read(0, into, done));
    held.awaitArrival();

    // Up to four times the pool: every zone that may be reused is. A reader keeps the zones of
    // everything that died since it began, so that in the end a write must wait for it.
    int round = 0;
    CompletableFuture<Void> write = CompletableFuture.completedFuture(null);
    while (round < 64 && isDone(write)) {
      ByteBuffer bytes = filled(256 << 10, 100 + round++);
      write = Await.start(done -> engine.open(VOLUME).write(0, bytes, done));
      tryCheckpoint();
    }
    held.release();
    Await.await(read);
    Await.await(write);

    assertThat(into.flip()).isEqualTo(filled(4096, 1));
    assertThat(read(0, 4096)).isEqualTo(filled(4096, 99 + round));
    engine.close();
  }

  /// The reader keeps the zones that it would need sooner or later.
  private boolean tryCheckpoint() {
    try {
      engine.checkpoint();
      return true;
    } catch (StorageException.OutOfSpace e) {
      return false;
    }
  }

  @Test
  void aCheckpointThatFindsNoZoneSaysSoAndTheNextOneCountsWhenThereIsOne() {
    write(0, filled(4096, 1));
    SimulatedBlockDevice.Held held = pool.device().holdNextRead();
    ByteBuffer into = ByteBuffer.allocateDirect(4096);
    CompletableFuture<Void> read = Await.start(done -> engine.open(VOLUME).read(0, into, done));
    held.awaitArrival();

    int checkpoints = 0;
    while (checkpoints < 10_000 && tryCheckpoint()) {
      checkpoints++;
    }
    assertThatThrownBy(engine::checkpoint)
        .isInstanceOf(StorageException.OutOfSpace.class)
        .hasMessage("Expected free zones for a checkpoint, found too few.");
    held.release();
    Await.await(read);

    Await.until("readers have let go of zones", this::tryCheckpoint);
    engine.close();
    pool.whole();
  }

  private static boolean isDone(CompletableFuture<Void> write) throws Exception {
    try {
      write.get(500, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private void write(long offset, ByteBuffer bytes) {
    Await.io(done -> engine.open(VOLUME).write(offset, bytes, done));
  }

  private ByteBuffer read(long offset, int length) {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    Await.io(done -> engine.open(VOLUME).read(offset, into, done));
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
