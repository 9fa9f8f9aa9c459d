package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QueuedDevice;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Reads of a device that works on many at a time.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class QueuedReadsTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  private final PoolFixture pool = PoolFixture.ofBytes(32 << 20);
  private final SimulatedBlockDevice disk = pool.device();
  private final QueuedDevice device = new QueuedDevice(disk, 42);
  private final long[] numbers = new long[BLOCKS];
  private RedirectOnWriteEngine engine;

  QueuedReadsTest() {
    engine = pool.behind(_ -> device).format().open();
    engine.create(new OperationId(new UUID(9, 1)), VolumeSpec.thin(VOLUME, BLOCKS * BLOCK));
  }

  @AfterEach
  void close() {
    engine.close();
    assertThat(device.openQueues()).isZero();
  }

  @Test
  void piecesOfManyReadsArriveWhereTheyBelong() {
    int seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    scatter(random);

    for (int round = 0; round < 20; round++) {
      readAtOnce(random, 40, seed);
    }

    assertThat(device.pieces()).as("through queues").isGreaterThan(1000);
  }

  /// Each begins its own, and those of others that wait.
  @Test
  void manyThreadsBeginReads() throws Exception {
    int seed = 19;
    scatter(new SplittableRandom(seed));

    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        readers.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 10; round++) {
                    readAtOnce(random, 20, seed);
                  }
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  @Test
  void aCallerThatWaitsUsesThemForManyPieces() {
    scatter(new SplittableRandom(12));

    check(0, BLOCKS, readHere(0, BLOCKS));
    int pieces = device.pieces();
    check(3, 1, readHere(3, 1));

    assertThat(pieces).as("of the long read").isGreaterThan(20);
    assertThat(device.pieces()).as("the short one is a call").isEqualTo(pieces);
  }

  @Test
  void holesAndBytesThatAreNoBlocksAreReadAsWell() {
    write(10);
    write(200);
    check(0, BLOCKS, readHere(0, BLOCKS));
    scatter(new SplittableRandom(13));

    ByteBuffer odd = AlignedBuffers.allocate(20 * BLOCK).limit(20 * BLOCK - 1024);
    Await.io(done -> engine.open(VOLUME).read(5 * BLOCK + 512, odd, done));

    for (int i = 6; i < 24; i++) {
      assertThat(odd.getLong((i - 5) * BLOCK - 512)).isEqualTo(numbers[i]);
    }
  }

  /// As a network's memory is, which begins anywhere.
  @Test
  void memoryThatTheDeviceCannotTakeIsFilledAsWell() {
    scatter(new SplittableRandom(18));
    int pieces = device.pieces();
    ByteBuffer odd = AlignedBuffers.allocate(101 * BLOCK).slice(16, 100 * BLOCK);
    ByteBuffer heap = ByteBuffer.allocate(BLOCKS * BLOCK);

    Await.io(done -> engine.open(VOLUME).read(7 * BLOCK, odd, done));
    Await.io(done -> engine.open(VOLUME).read(0, heap, done));

    check(7, 100, odd.flip().order(ByteOrder.LITTLE_ENDIAN));
    check(0, BLOCKS, heap.flip().order(ByteOrder.LITTLE_ENDIAN));
    assertThat(device.pieces() - pieces).as("through queues").isGreaterThan(40);
  }

  @Test
  void aBlockThatCannotBeReadIsNamedAndDisturbsNoOtherRead() {
    scatter(new SplittableRandom(14));
    disk.failReads(placeOf(numbers[77]));

    List<CompletableFuture<Void>> reads = new ArrayList<>();
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int first : new int[] {0, 64, 128}) {
      ByteBuffer into = AlignedBuffers.allocate(64 * BLOCK);
      buffers.add(into);
      reads.add(Await.start(done -> engine.open(VOLUME).read((long) first * BLOCK, into, done)));
    }

    Await.await(reads.get(0));
    assertThatThrownBy(() -> Await.await(reads.get(1)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("LBA 616 to 623 of volume " + VOLUME);
    Await.await(reads.get(2));
    check(0, 64, buffers.get(0).flip());
    assertThat(buffers.get(1).position()).as("nothing was read").isZero();
    check(128, 64, buffers.get(2).flip());
  }

  @Test
  void aBlockThatIsNotWhatWasWrittenIsNeverReturned() {
    scatter(new SplittableRandom(15));
    disk.flipBit(placeOf(numbers[30]) + 100, 3);
    disk.flipBit(placeOf(numbers[20]) + 4000, 1);

    assertThatThrownBy(() -> readHere(0, BLOCKS))
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("LBA 160 to 167")
        .hasMessageContaining("CRC32C");
    check(31, 100, readHere(31, 100));
  }

  @Test
  void whatAQueueDoesNotTakeOrDoesNotReadIsReadByCalls() {
    int seed = 16;
    SplittableRandom random = new SplittableRandom(seed);
    scatter(random);

    for (int round = 0; round < 40; round++) {
      device.refuse(round % 11);
      device.lose(round / 4);
      readAtOnce(random, 40, seed);
    }

    int pieces = device.pieces();
    device.refuse(10);
    readAtOnce(random, 40, seed);
    assertThat(device.pieces()).isEqualTo(pieces);
    device.refuse(0);
    device.lose(0);
    readAtOnce(random, 40, seed);
    assertThat(device.pieces()).as("used again").isGreaterThan(pieces);
  }

  @Test
  void closingEndsEveryReadThatWasBegun() {
    scatter(new SplittableRandom(17));
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ByteBuffer into = AlignedBuffers.allocate(BLOCKS * BLOCK);
      reads.add(Await.start(done -> engine.open(VOLUME).read(0, into, done)));
    }

    engine.close();

    assertThat(reads).allMatch(CompletableFuture::isDone);
    assertThat(device.openQueues()).isZero();
    engine = pool.open();
    check(0, BLOCKS, readHere(0, BLOCKS));
  }

  @Test
  void aQueueThatTellsNothingMoreIsLeftAlone() throws Exception {
    int seed = 20;
    scatter(new SplittableRandom(seed));
    readAtOnce(new SplittableRandom(seed), 10, seed);

    device.goDeaf();
    int pieces = device.pieces();
    readAtOnce(new SplittableRandom(seed), 10, seed);

    assertThat(device.pieces()).as("through queues").isEqualTo(pieces);
  }

  private void readAtOnce(SplittableRandom random, int count, int seed) {
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    List<ByteBuffer> buffers = new ArrayList<>();
    List<Integer> firsts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int blocks = 1 + random.nextInt(40);
      int first = random.nextInt(BLOCKS - blocks);
      ByteBuffer into = AlignedBuffers.allocate(blocks * BLOCK);
      buffers.add(into);
      firsts.add(first);
      reads.add(Await.start(done -> engine.open(VOLUME).read((long) first * BLOCK, into, done)));
    }
    for (int i = 0; i < count; i++) {
      Await.await(reads.get(i));
      ByteBuffer found = buffers.get(i).flip();
      assertThat(found.remaining()).as("seed %d", seed).isEqualTo(found.capacity());
      check(firsts.get(i), found.capacity() / BLOCK, found);
    }
  }

  private ByteBuffer readHere(int first, int blocks) {
    ByteBuffer into = AlignedBuffers.allocate(blocks * BLOCK);
    engine.open(VOLUME).read((long) first * BLOCK, into);
    return into.flip();
  }

  private void check(int first, int blocks, ByteBuffer found) {
    for (int i = 0; i < blocks; i++) {
      long wanted = numbers[first + i];
      assertThat(found.getLong(i * BLOCK)).as("block %d", first + i).isEqualTo(wanted);
      assertThat(found.getLong((i + 1) * BLOCK - 8)).isEqualTo(wanted == 0 ? 0 : ~wanted);
    }
  }

  /// Writes every block, one by one in any order.
  private void scatter(SplittableRandom random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      order.add(random.nextInt(order.size() + 1), i);
    }
    order.forEach(this::write);
  }

  private void write(int block) {
    numbers[block] = 1000L + block;
    ByteBuffer bytes = bytes(numbers[block]);
    Await.io(done -> engine.open(VOLUME).write((long) block * BLOCK, bytes, done));
  }

  private static ByteBuffer bytes(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.putLong(0, number).putLong(BLOCK - 8, ~number);
  }

  private long placeOf(long number) {
    ByteBuffer wanted = bytes(number);
    for (long sector : disk.storedSectors()) {
      if (sector % BLOCK == 0) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        disk.read(sector, block);
        if (block.flip().equals(wanted.clear())) {
          return sector;
        }
      }
    }
    throw new AssertionError("expected a block of number " + number + ", found none");
  }
}
