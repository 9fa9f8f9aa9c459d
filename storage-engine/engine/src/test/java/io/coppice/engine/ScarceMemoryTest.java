package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.ScarceBuffers;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QueuedDevice;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Memory that cannot be had, wherever the engine asks for it: each command ends, and the pool
/// serves afterwards or says that it has stopped, and why. It never just stands there.
@Timeout(180)
@ExtendWith(QuietEngine.class)
class ScarceMemoryTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;
  private static final int BLOCKS = 2048;

  private final SplittableRandom random = new SplittableRandom(14);
  private final Map<Integer, ByteBuffer> model = new HashMap<>();

  /// A pool on a device, with what hosts do to it.
  private final class Pool implements AutoCloseable {
    private final RedirectOnWriteEngine engine;
    private final VolumeId id = VolumeId.random();
    private final Volume volume;
    private final List<CompletableFuture<?>> open = new ArrayList<>();

    Pool(PoolFixture pool) {
      engine = pool.format().open();
      engine.create(OperationId.random(), VolumeSpec.thin(id, BLOCKS * (long) BLOCK));
      volume = engine.open(id);
      model.clear();
    }

    /// Writes that overlap none under way; what the model knows is what was acknowledged.
    void write(int count) {
      Map<Integer, ByteBuffer> sent = new HashMap<>();
      Map<Integer, CompletableFuture<Void>> ends = new HashMap<>();
      for (int i = 0; i < count; i++) {
        int block = random.nextInt(BLOCKS);
        if (!sent.containsKey(block)) {
          ByteBuffer bytes = block(random.nextLong());
          sent.put(block, bytes);
          ends.put(block, Await.start(done -> volume.write((long) block * BLOCK, bytes, done)));
        }
      }
      ends.forEach(
          (block, end) -> {
            if (ended(end) == null) {
              model.put(block, sent.get(block));
            } else {
              model.remove(block); // may have either
            }
          });
    }

    void readAll() {
      model.forEach(
          (block, expected) -> {
            ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
            StorageException failure =
                ended(Await.start(done -> volume.read((long) block * BLOCK, found, done)));
            if (failure == null) {
              assertThat(found.clear()).as("block %d", block).isEqualTo(expected.clear());
            }
          });
    }

    /// All kinds of I/O that need memory of their own: ragged, of several blocks, in pieces, into
    /// memory that is fit for no device.
    void mixed() {
      open.add(Await.start(done -> volume.write(512, block(1).limit(1024), done)));
      open.add(Await.start(done -> volume.writeZeroes(5 * MIB + 512, 2 * MIB, done)));
      open.add(
          Await.start(
              done -> volume.writeSame(7 * MIB + 512, 64 << 10, block(3).limit(512), done)));
      open.add(Await.start(done -> volume.copyFrom(volume, 512, 3 * MIB, MIB, done)));
      open.add(Await.start(done -> volume.copyFrom(volume, 0, 4 * MIB, MIB, done)));
      ByteBuffer seen = ByteBuffer.allocateDirect(BLOCK);
      open.add(Await.start(done -> volume.read(0, seen, done)));
      open.add(Await.startCompare(done -> volume.compareAndWrite(0, seen, block(4), done)));
      for (int i = 0; i < 8; i++) {
        ByteBuffer into = ByteBuffer.allocateDirect((64 << 10) + 8).position(8);
        int at = i;
        open.add(Await.start(done -> volume.read(at * 64L << 10, into.slice(), done)));
      }
      open.forEach(ScarceMemoryTest::ended);
      open.clear();
      // What they did is not followed up.
      model.keySet().removeIf(block -> block < 1 || block >= 3 * MIB / BLOCK);
    }

    /// What needs the threads that hosts never see.
    void upkeep() {
      attempt(engine::checkpoint);
      attempt(
          () -> {
            VolumeId snapshot = VolumeId.random();
            engine.snapshot(
                OperationId.random(),
                List.of(new SnapshotSpec(id, snapshot, Map.of())),
                Duration.ofSeconds(30));
            engine.freedIfDeleted(List.of(snapshot));
            engine.delete(OperationId.random(), snapshot);
          });
      engine.scrub().start();
    }

    /// Whether it serves.
    ///
    /// @return what it stopped for; null if it serves
    @Nullable StorageException state() {
      ByteBuffer bytes = block(random.nextLong());
      StorageException failure =
          ended(Await.start(done -> volume.write((BLOCKS - 1L) * BLOCK, bytes, done)));
      if (failure == null) {
        model.put(BLOCKS - 1, bytes);
      }
      return failure;
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (StorageException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  /// Waits for the end.
  ///
  /// @return what it failed with; null if it did not
  private static @Nullable StorageException ended(CompletableFuture<?> io) {
    try {
      Await.await(io);
      return null;
    } catch (StorageException e) {
      return e;
    }
  }

  private static ByteBuffer block(long seed) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom content = new SplittableRandom(seed);
    while (bytes.hasRemaining()) {
      bytes.putLong(content.nextLong());
    }
    return bytes.flip();
  }

  /// Fills the pool so far that zones must be emptied, and does everything else beside it.
  private void everything(Pool pool) {
    for (int round = 0; round < 4; round++) {
      pool.write(400);
      pool.mixed();
      pool.upkeep();
    }
    pool.readAll();
  }

  /// One buffer after the other cannot be had, in a pool that is small enough to be cleaned.
  @Test
  void eachBufferThatCannotBeHadEndsACommandOrThePool() {
    int stopped = 0;
    int tried = 0;
    try (ScarceBuffers memory = new ScarceBuffers()) {
      int most = asked(memory);
      for (int first = 0; first < most; first += 1 + first / 16) {
        try (Pool pool = queued(first)) {
          memory.refuse(first, 1);
          everything(pool);
          memory.relent();
          StorageException reason = servesOrSays(pool);
          stopped += reason == null ? 0 : 1;
          tried++;
        }
      }
    }
    assertThat(tried).isGreaterThan(20);
    assertThat(stopped).as("pools that a single buffer stopped").isLessThan(tried / 2);
  }

  private Pool queued(long seed) {
    return new Pool(PoolFixture.ofBytes(16 * MIB).behind(device -> new QueuedDevice(device, seed)));
  }

  private int asked(ScarceBuffers memory) {
    try (Pool pool = queued(0)) {
      int before = memory.asked();
      everything(pool);
      return memory.asked() - before;
    }
  }

  /// None can be had for a while, and then again.
  @Test
  void noBufferForAWhileEndsCommandsOrThePool() {
    try (ScarceBuffers memory = new ScarceBuffers()) {
      for (int first : new int[] {0, 7, 50}) {
        try (Pool pool = queued(first)) {
          pool.write(200);
          memory.refuse(first, Integer.MAX_VALUE);
          everything(pool);
          memory.relent();
          servesOrSays(pool);
        }
      }
    }
  }

  private static @Nullable StorageException servesOrSays(Pool pool) {
    StorageException reason = pool.state();
    if (reason == null) {
      pool.readAll();
      StorageException later = pool.state();
      assertThat(later).isNull();
    } else {
      assertThat(reason).isInstanceOf(StorageException.DeviceFailed.class);
      assertThat(reason).hasMessageStartingWith("The pool stopped because");
    }
    return reason;
  }

  /// A device whose calls throw an error, chosen by the thread that calls.
  private static final class FailingDevice extends ForwardingDevice {
    private final AtomicInteger left = new AtomicInteger();
    private volatile Predicate<String> threads = _ -> false;

    FailingDevice(BlockDevice device) {
      super(device);
    }

    void fail(int times, Predicate<String> named) {
      left.set(times);
      threads = named;
    }

    private void check() {
      if (threads.test(Thread.currentThread().getName()) && left.getAndDecrement() > 0) {
        throw new OutOfMemoryError("Java heap space");
      }
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      check();
      super.read(offset, into);
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      check();
      super.write(offset, from);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      check();
      super.writeStable(offset, from);
    }
  }

  private static final List<String> THREADS =
      List.of(
          "coppice-committer",
          "coppice-cleaner",
          "coppice-checkpoint",
          "coppice-scrub",
          "coppice-reader");

  /// Whatever fails in a thread of the engine, hosts do not wait for it for ever.
  @Test
  void errorInAnyThreadEndsCommandsOrThePool() {
    for (String name : THREADS) {
      for (int times : new int[] {1, 2, Integer.MAX_VALUE}) {
        PoolFixture fixture = PoolFixture.ofBytes(16 * MIB);
        FailingDevice device = new FailingDevice(fixture.device());
        try (Pool pool = new Pool(fixture.behind(_ -> device))) {
          pool.write(200);
          device.fail(times, thread -> thread.startsWith(name));
          everything(pool);
          device.fail(0, _ -> false);
          servesOrSays(pool);
        }
      }
    }
  }

  /// The thread that empties zones needs no memory for its first one, and an error in one zone does
  /// not leave the next writer waiting.
  @Test
  void writersThatWaitForTheCleanerAreToldWhenItCannotGoOn() {
    PoolFixture fixture = PoolFixture.ofBytes(16 * MIB);
    FailingDevice device = new FailingDevice(fixture.device());
    try (Pool pool = new Pool(fixture.behind(_ -> device))) {
      device.fail(Integer.MAX_VALUE, thread -> thread.equals("coppice-cleaner"));
      StorageException reason = null;
      for (int i = 0; i < 100 && reason == null; i++) {
        pool.write(400);
        reason = pool.state();
      }
      assertThat(reason)
          .isInstanceOf(StorageException.DeviceFailed.class)
          .hasMessageStartingWith("The pool stopped because zones could not be emptied");
    }
  }
}
