package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import io.coppice.engine.testing.WatchedDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who commits, and that it is one at a time: the committer's thread, or on an idle log a caller
/// that may block.
@Timeout(120)
class CallerCommitsTest {

  private static final int BLOCK = 4096;
  private static final String COMMITTER = "coppice-committer";

  private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
  private final SimulatedBlockDevice simulated = pool.device();
  private final WatchedDevice device =
      new WatchedDevice(simulated, PoolLayout.zoneOffset(0, PoolFixture.ZONE));
  private final RedirectOnWriteEngine engine = pool.behind(_ -> device).open();
  private final Volume volume = create(16L << 20);
  private int lastId = 100;

  private Volume create(long bytes) {
    VolumeId id = new VolumeId(new UUID(0, 7));
    engine.create(OperationId.random(), VolumeSpec.thin(id, bytes));
    return engine.open(id);
  }

  private static ByteBuffer block(long number) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    new SplittableRandom(number).longs(BLOCK / 8).forEach(block::putLong);
    return block.flip();
  }

  /// The log is idle when the committer has nothing more to look at.
  private void awaitIdle() {
    engine.awaitReclaim();
  }

  @Test
  void onAnIdleLogACallerThatMayBlockCommitsItsOwnWrite() {
    Await.until("a caller commits", () -> committedHere(() -> volume.write(0, block(1))));
  }

  @Test
  void aCallerThatMayNotBlockNeverCommits() {
    awaitIdle();
    for (int i = 0; i < 200; i++) {
      long offset = (long) i * BLOCK;
      assertThat(committedHere(() -> Await.io(done -> volume.write(offset, block(1), done))))
          .isFalse();
    }
  }

  @Test
  void aThreadThatLendsItselfReadsAndOnAnIdleLogCommits() {
    Await.until(
        "a lent thread commits",
        () -> committedHere(() -> Await.io(done -> volume.writeHere(0, block(1), done))));

    device.forget();
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    assertThat(Await.start(done -> volume.readHere(0, found, done))).isCompleted();
    assertThat(device.readers()).containsExactly(Thread.currentThread().getName());
    assertThat(found.flip()).isEqualTo(block(1));
  }

  @Test
  void aThreadThatLendsItselfDoesNotWaitForItsTurn() {
    volume.write(0, block(1));
    SimulatedBlockDevice.Held held = simulated.holdNextRead();
    CompletableFuture<Long> compare =
        Await.startCompare(done -> volume.compareAndWrite(0, block(1), block(2), done));
    held.awaitArrival();
    CompletableFuture<Void> write = Await.start(done -> volume.writeHere(0, block(3), done));
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    CompletableFuture<Void> read = Await.start(done -> volume.readHere(0, found, done));
    assertThat(write).isNotDone();
    held.release();

    Await.await(write);
    Await.await(read);
    compare.join();
    assertThat(found.flip()).isIn(block(2), block(3));
    volume.read(0, found.clear());
    assertThat(found.flip()).isEqualTo(block(3));
  }

  @Test
  void aVirtualThreadNeverCommitsNorReadsTheDevice() throws InterruptedException {
    device.forget();
    Thread thread =
        Thread.ofVirtual()
            .name("virtual-caller")
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    volume.write(0, block(i));
                    volume.read(0, ByteBuffer.allocateDirect(BLOCK));
                  }
                });
    thread.join();
    assertThat(device.writers()).containsExactly(COMMITTER);
    assertThat(device.readers()).isNotEmpty().allMatch(name -> name.startsWith("coppice-reader-"));
  }

  /// Whether this thread wrote the log.
  private boolean committedHere(Runnable work) {
    device.forget();
    work.run();
    return device.writers().contains(Thread.currentThread().getName());
  }

  /// Six threads wait for each of their writes, two have several under way, one takes snapshots:
  /// the role goes to and fro between all of them.
  @Test
  void oneThreadWritesTheLogAtAnyTime() throws Exception {
    int writers = 8;
    int writes = 1500;
    device.dawdle();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int own = i;
      ends.add(
          onThread("writer-" + i, () -> write(own, writes, own < 6))
              .thenRun(() -> verify(own, writes)));
    }
    ends.add(onThread("snapshots", this::takeSnapshots));
    for (CompletableFuture<Void> end : ends) {
      Await.await(end);
    }

    assertThat(device.overlaps()).as("writes of the log that met another one").isZero();
    assertThat(device.writers()).contains(COMMITTER).hasSizeGreaterThan(2);
    engine.close();
    pool.whole();
  }

  private static CompletableFuture<Void> onThread(String name, Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
              }
            });
    return end;
  }

  private void write(int own, int writes, boolean waiting) {
    List<CompletableFuture<Void>> open = new ArrayList<>();
    for (int i = 0; i < writes; i++) {
      long offset = offset(own, i);
      ByteBuffer block = block(number(own, i));
      if (waiting) {
        volume.write(offset, block);
      } else {
        open.add(Await.start(done -> volume.write(offset, block, done)));
        if (open.size() == 4) {
          Await.await(open.removeFirst());
        }
      }
    }
    open.forEach(Await::await);
  }

  private static long offset(int own, int i) {
    return (own * 256L + i % 256) * BLOCK;
  }

  private static long number(int own, int i) {
    return own * 1_000_000L + i;
  }

  private void verify(int own, int writes) {
    for (int i = writes - 256; i < writes; i++) {
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      volume.read(offset(own, i), found);
      assertThat(found.flip()).isEqualTo(block(number(own, i)));
    }
  }

  private void takeSnapshots() {
    for (int i = 0; i < 40; i++) {
      VolumeId id = new VolumeId(new UUID(0, lastId++));
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(volume.id(), id, Map.of())),
          Duration.ofSeconds(30));
      engine.delete(OperationId.random(), id);
    }
  }

  @Test
  void aFailedSyncInACallersCommitStopsThePoolForGood() {
    awaitIdle();
    volume.write(0, block(1));
    simulated.failSync(1);

    assertThatThrownBy(() -> volume.write(0, block(2)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped because its log could not be written");
    assertThatThrownBy(() -> volume.write(0, block(3)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped");
    assertThatThrownBy(() -> Await.io(done -> volume.write(0, block(4), done)))
        .isInstanceOf(StorageException.DeviceFailed.class);
    engine.close();
  }

  @Test
  void aPoolIsClosedAfterTheReadsOfItsCallers() throws Exception {
    volume.write(0, block(1));
    SimulatedBlockDevice.Held held = simulated.holdNextRead();
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    CompletableFuture<Void> read = onThread("reader", () -> volume.read(0, found));
    held.awaitArrival();

    CompletableFuture<Void> close = onThread("closer", engine::close);
    Await.until(
        "the pool refuses",
        () -> {
          try {
            engine.open(volume.id());
            return false;
          } catch (StorageException.DeviceFailed e) {
            return true;
          }
        });
    assertThat(device.isClosed()).isFalse();
    held.release();

    Await.await(read);
    Await.await(close);
    assertThat(found.flip()).isEqualTo(block(1));
    assertThat(device.isClosed()).isTrue();
  }

  @Test
  void anInterruptNeitherClosesTheDeviceNorIsLost(@TempDir Path folder) throws Exception {
    Path directory = folder.resolve("pool");
    PoolFormat format = new PoolFormat(new UUID(0, 2), 1 << 20, PoolFixture.CLOCK.instant());
    PoolDirectory.create(directory, 64L << 20, format);
    try (StorageEngine onFile = PoolDirectory.open(directory, EngineOptions.defaults())) {
      VolumeId id = new VolumeId(new UUID(0, 8));
      onFile.create(OperationId.random(), VolumeSpec.thin(id, 1 << 20));
      Volume disk = onFile.open(id);
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      for (int i = 0; i < 200; i++) {
        Thread.currentThread().interrupt();
        disk.write(0, block(i));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        disk.read(0, found.clear());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(found.flip()).isEqualTo(block(i));
      }
    }
  }
}
