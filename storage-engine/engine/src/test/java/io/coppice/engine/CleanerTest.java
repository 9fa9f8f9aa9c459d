package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Space comes back from zones that are partly dead, and nothing is lost by it.
class CleanerTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  private final Map<VolumeId, long[]> model = new HashMap<>();
  @AutoClose private final PoolFixture pool = PoolFixture.ofBytes(48 * MIB);
  private final SimulatedBlockDevice device = pool.device();
  private RedirectOnWriteEngine engine = pool.format().open();
  private long lastContent;

  private VolumeId create(long size, boolean reserved) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, size, reserved, Map.of()));
    model.put(id, new long[(int) (size / BLOCK)]);
    return id;
  }

  private VolumeId snapshot(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(source, id, Map.of())),
        Duration.ofSeconds(10));
    model.put(id, model.get(source).clone());
    return id;
  }

  private VolumeId cloneOf(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(source, id, false, Map.of()));
    model.put(id, model.get(source).clone());
    return id;
  }

  private void delete(VolumeId id) {
    engine.delete(OperationId.random(), id);
    model.remove(id);
  }

  private static ByteBuffer content(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom random = new SplittableRandom(number);
    while (number != 0 && bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.clear();
  }

  private void write(VolumeId id, int first, int blocks) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      model.get(id)[first + i] = ++lastContent;
      bytes.put(content(lastContent));
    }
    Await.io(done -> engine.open(id).write((long) first * BLOCK, bytes.flip(), done));
  }

  /// Several writes of single blocks under way at once.
  private void writeManyAtOnce(VolumeId id, SplittableRandom random, int count) {
    List<CompletableFuture<Void>> open = new ArrayList<>();
    int stride = model.get(id).length / count;
    for (int i = 0; i < count; i++) {
      int block = i * stride + random.nextInt(stride);
      model.get(id)[block] = ++lastContent;
      ByteBuffer bytes = content(lastContent);
      open.add(Await.start(done -> engine.open(id).write((long) block * BLOCK, bytes, done)));
    }
    open.forEach(Await::await);
  }

  private void verify() {
    model.forEach(
        (id, numbers) -> {
          for (int block = 0; block < numbers.length; block++) {
            long offset = (long) block * BLOCK;
            ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
            Await.io(done -> engine.open(id).read(offset, found, done));
            assertThat(found.flip())
                .as("block %d of %s", block, id)
                .isEqualTo(content(numbers[block]));
          }
        });
  }

  @Test
  void aReservedVolumeIsWrittenOverTenTimesWithoutARefusal() {
    long seed = 4_000_001L;
    SplittableRandom random = new SplittableRandom(seed);
    VolumeId id = create(engine.space().free() / 10 * 8 / MIB * MIB, true);
    int blocks = model.get(id).length;
    assertThat(blocks * (long) BLOCK).isGreaterThan(20 * MIB);

    for (long written = 0; written < 10L * blocks; written += 16) {
      if (random.nextInt(4) > 0) {
        writeManyAtOnce(id, random, 16);
      } else {
        write(id, random.nextInt(blocks - 16), 16);
      }
      if (random.nextInt(1500) == 0) {
        engine = pool.reopen();
      }
    }

    verify();
    engine = pool.reopen();
    verify();
  }

  @Test
  void snapshotsAndClonesKeepWhatTheyHadWhileZonesAreCleanedBelowThem() {
    long seed = 4_000_002L;
    SplittableRandom random = new SplittableRandom(seed);
    List<VolumeId> volumes = new ArrayList<>();
    List<VolumeId> copies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      volumes.add(create(4 * MIB, false));
      write(volumes.get(i), 0, 1024);
    }

    for (int step = 0; step < 4000; step++) {
      VolumeId id = volumes.get(random.nextInt(volumes.size()));
      int blocks = 1 + random.nextInt(8);
      write(id, random.nextInt(1024 - blocks), blocks);
      if (random.nextInt(60) == 0) {
        copies.add(random.nextBoolean() ? snapshot(id) : cloneOf(id));
      }
      while (copies.size() > 2) {
        delete(copies.remove(random.nextInt(copies.size())));
      }
      if (random.nextInt(800) == 0) {
        engine = pool.reopen();
      }
    }

    verify();
    List.copyOf(model.keySet()).forEach(this::delete);
    engine.awaitReclaim();
    assertThat(engine.space().used()).isZero();
  }

  @Test
  void copiesByPointerSurviveTheCleaningOfTheBlocksThatTheyShare() {
    SplittableRandom random = new SplittableRandom(4_000_003L);
    VolumeId source = create(8 * MIB, false);
    VolumeId copy = create(8 * MIB, false);
    write(source, 0, 2048);
    Await.io(done -> engine.open(copy).copyFrom(engine.open(source), 0, 0, 8 * MIB, done));
    model.put(copy, model.get(source).clone());

    for (int i = 0; i < 8000; i++) {
      write(source, random.nextInt(2048), 1);
    }

    verify();
    engine = pool.reopen();
    verify();
  }

  @Test
  void readersSeeEveryBlockWhileItIsMovedAndItsZoneUsedAgain() throws Exception {
    SplittableRandom random = new SplittableRandom(4_000_005L);
    engine = pool.behind(_ -> new SlowReads(device)).reopen();
    create(12 * MIB, true); // so that zones are used again soon
    VolumeId still = create(4 * MIB, false);
    VolumeId hot = create(16 * MIB, false);
    for (int i = 0; i < 1024; i++) {
      write(still, i, 1);
      write(hot, 4 * i, 4);
    }
    long[] numbers = model.get(still).clone();
    AtomicBoolean stopping = new AtomicBoolean();
    List<CompletableFuture<Long>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SplittableRandom own = random.split();
      readers.add(CompletableFuture.supplyAsync(() -> readUntil(stopping, still, numbers, own)));
    }

    for (int i = 0; i < 8000; i++) {
      write(hot, random.nextInt(4096 - 4), 4);
    }
    stopping.set(true);

    for (CompletableFuture<Long> reader : readers) {
      assertThat(reader.get(30, TimeUnit.SECONDS)).isPositive();
    }
    assertThat(engine.cleaned().blocksMoved()).isGreaterThan(1024);
  }

  /// A device of which one read in eight takes until 3,000 later writes have come, or 0.2 s.
  private static final class SlowReads extends ForwardingDevice {
    private final SimulatedBlockDevice simulated;
    private final AtomicInteger reads = new AtomicInteger();

    SlowReads(SimulatedBlockDevice device) {
      super(device);
      simulated = device;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      if (into.remaining() <= 16 * BLOCK && reads.incrementAndGet() % 8 == 0) {
        long until = simulated.operations() + 3000;
        long deadline = System.nanoTime() + 200_000_000;
        while (simulated.operations() < until && System.nanoTime() < deadline) {
          Thread.yield();
        }
      }
      super.read(offset, into);
    }
  }

  private long readUntil(
      AtomicBoolean stopping, VolumeId id, long[] numbers, SplittableRandom random) {
    long reads = 0;
    for (; !stopping.get(); reads++) {
      int first = random.nextInt(numbers.length - 16);
      ByteBuffer found = ByteBuffer.allocateDirect(16 * BLOCK);
      Await.io(done -> engine.open(id).read((long) first * BLOCK, found, done));
      for (int i = 0; i < 16; i++) {
        assertThat(found.slice(i * BLOCK, BLOCK)).isEqualTo(content(numbers[first + i]));
      }
    }
    return reads;
  }

  @Test
  void aDamagedBlockIsLeftAndReportedAndNeverReturned() {
    SplittableRandom random = new SplittableRandom(4_000_004L);
    VolumeId id = create(8 * MIB, false);
    write(id, 0, 2048);
    flipABitOf(model.get(id)[1000]);

    for (int i = 0; i < 60_000 && engine.cleaned().blocksLeft() == 0; i++) {
      int block = random.nextInt(2048);
      if (block != 1000) {
        write(id, block, 1);
      }
    }

    assertThat(engine.cleaned().blocksLeft()).isEqualTo(1);
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    assertThatThrownBy(() -> Await.io(done -> engine.open(id).read(1000L * BLOCK, found, done)))
        .isInstanceOf(StorageException.Damaged.class);
    write(id, 1000, 1);
    verify();
  }

  private void flipABitOf(long number) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    for (long at = 0; at < device.sizeInBytes(); at += BLOCK) {
      device.read(at, block.clear());
      if (block.flip().equals(content(number))) {
        device.flipBit(at + 77, 3);
        return;
      }
    }
    throw new AssertionError("block content %d is nowhere on the device".formatted(number));
  }
}
