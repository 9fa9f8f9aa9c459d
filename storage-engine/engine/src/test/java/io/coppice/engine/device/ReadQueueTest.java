package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Queues of reads of a real file, where this system has such; what is done without them is tested
/// everywhere.
class ReadQueueTest {

  private static final int BLOCK = BlockDevice.BLOCK_SIZE;
  private static final int BLOCKS = 512;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void fill() throws IOException {
    path = folder.resolve("disk");
    ByteBuffer content = ByteBuffer.allocate(BLOCKS * BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
      content.putLong(i * BLOCK, i + 1).putLong(i * BLOCK + BLOCK - 8, -i);
    }
    // Stable: what is only in the page cache would have to be written before it can be read past
    // it.
    Files.write(
        path,
        content.array(),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
  }

  @Test
  void noQueueIsTriedWhereNoneIsWanted() {
    try (FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.PREAD)) {
      assertThat(device.readQueue()).isNull();
    }
    try (FileBlockDevice device = FileBlockDevice.open(path)) {
      assertThat(device.readQueue()).isNull();
    }
  }

  /// A system without queues says why; a device is readable all the same unless they are asked for.
  @Test
  void aFileOpensWithOrWithoutQueues() {
    try (FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.AUTO);
        ReadQueue queue = device.readQueue()) {
      ByteBuffer block = AlignedBuffers.allocate(BLOCK);
      device.read(7L * BLOCK, block);
      assertThat(block.flip().order(ByteOrder.BIG_ENDIAN).getLong()).isEqualTo(8);
      if (queue == null) {
        assertThatExceptionOfType(DeviceException.class)
            .isThrownBy(() -> FileBlockDevice.open(path, DeviceIo.AIO))
            .withMessageContaining("Asynchronous I/O cannot be used for");
      }
    }
  }

  @Test
  void scatteredPiecesArriveWhereTheyBelong() {
    try (FileBlockDevice device = withQueues();
        ReadQueue queue = queue(device)) {
      for (int seed = 0; seed < 20; seed++) {
        scatter(device, queue, seed);
      }
    }
  }

  @Test
  void queuesOfOneFileDisturbNoneOfTheOthers() throws Exception {
    try (FileBlockDevice device = withQueues();
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int seed = 100 + i;
        readers.add(
            threads.submit(
                () -> {
                  try (ReadQueue queue = queue(device)) {
                    scatter(device, queue, seed);
                  }
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  /// As callers do, while one thread hears of the ends.
  @Test
  void whatOtherThreadsBeginEndsAsWell() throws Exception {
    try (FileBlockDevice device = withQueues();
        ReadQueue queue = queue(device)) {
      Wanted[] all = new Wanted[queue.capacity()];
      Thread[] beginners = new Thread[4];
      for (int i = 0; i < beginners.length; i++) {
        int from = i;
        beginners[i] =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int n = from; n < all.length; n += beginners.length) {
                        all[n] = new Wanted(n, 1, 0);
                        all[n].prepare(queue, n);
                        queue.begin(new int[] {n}, 1);
                      }
                    });
      }
      int ended = 0;
      while (ended < all.length) {
        ended += queue.await();
      }
      for (Thread beginner : beginners) {
        beginner.join();
      }
      for (Wanted each : all) {
        each.check("begun elsewhere");
      }
    }
  }

  @Test
  void aPieceBeyondTheEndIsNotWhole() {
    try (FileBlockDevice device = withQueues();
        ReadQueue queue = queue(device)) {
      List<Wanted> all =
          List.of(new Wanted(BLOCKS - 1, 2, 0), new Wanted(5, 1, 0), new Wanted(BLOCKS + 3, 1, 0));
      boolean[] whole = new boolean[3];
      for (int i = 0; i < 3; i++) {
        all.get(i).prepare(queue, i);
      }
      assertThat(queue.begin(new int[] {0, 1, 2}, 3)).isEqualTo(3);
      int ended = 0;
      while (ended < 3) {
        int more = queue.await();
        for (int i = 0; i < more; i++) {
          whole[queue.number(i)] = queue.isWhole(i);
        }
        ended += more;
      }

      assertThat(whole).containsExactly(false, true, false);
      all.get(1).check("inside");
    }
  }

  @Test
  void wakingEndsTheWaitOfAThread() throws Exception {
    try (FileBlockDevice device = withQueues();
        ReadQueue queue = queue(device)) {
      Future<Integer> waiter;
      try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
        waiter = thread.submit(queue::await);
        queue.wake();
      }
      assertThat(waiter.get()).isZero();
    }
  }

  @Test
  void aClosedFileIsNotReadAndItsNumberNotGivenAwayUnderAQueue() throws IOException {
    FileBlockDevice device = withQueues();
    try (ReadQueue queue = queue(device)) {
      device.close();
      Path other = Files.write(folder.resolve("other"), new byte[BLOCK]);
      try (FileBlockDevice _ = FileBlockDevice.open(other)) {
        Wanted late = new Wanted(3, 1, 0);
        late.prepare(queue, 0);
        assertThat(queue.begin(new int[] {0}, 1)).isEqualTo(1);
        assertThat(queue.await()).isEqualTo(1);
        late.check("what the file was when the queue was opened");
      }
    }
    assertThat(device.readQueue()).as("of a closed file").isNull();
  }

  private FileBlockDevice withQueues() {
    FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.AUTO);
    try (ReadQueue queue = device.readQueue()) {
      if (queue == null) {
        device.close();
      }
      assumeTrue(queue != null, "this system has no asynchronous I/O, or forbids it");
    }
    return device;
  }

  private static ReadQueue queue(FileBlockDevice device) {
    ReadQueue queue = device.readQueue();
    assertThat(queue).isNotNull();
    return queue;
  }

  private static void scatter(FileBlockDevice device, ReadQueue queue, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long before = device.bytesRead();
    long bytes = 0;
    for (int round = 0; round < 5; round++) {
      Wanted[] all = new Wanted[queue.capacity()];
      int[] numbers = new int[all.length];
      for (int i = 0; i < all.length; i++) {
        int blocks = 1 + random.nextInt(4);
        all[i] = new Wanted(random.nextInt(BLOCKS - blocks), blocks, random.nextInt(3) * BLOCK);
        all[i].prepare(queue, i);
        numbers[i] = i;
        bytes += all[i].length();
      }
      assertThat(queue.begin(numbers, numbers.length)).as("seed %d", seed).isEqualTo(all.length);
      int ended = 0;
      while (ended < all.length) {
        int more = queue.await();
        for (int i = 0; i < more; i++) {
          assertThat(queue.isWhole(i)).as("seed %d", seed).isTrue();
          all[queue.number(i)].check("seed " + seed);
        }
        ended += more;
      }
    }
    assertThat(device.bytesRead() - before).as("seed %d", seed).isGreaterThanOrEqualTo(bytes);
  }

  /// Blocks that are read to some place of a buffer.
  private static final class Wanted {
    private final int block;
    private final int blocks;
    private final int start;
    private final ByteBuffer into;

    Wanted(int block, int blocks, int start) {
      this.block = block;
      this.blocks = blocks;
      this.start = start;
      into = AlignedBuffers.allocate(start + (blocks + 1) * BLOCK).order(ByteOrder.BIG_ENDIAN);
    }

    int length() {
      return blocks * BLOCK;
    }

    void prepare(ReadQueue queue, int number) {
      long address = AlignedBuffers.addressOf(into, start);
      queue.prepare(number, (long) block * BLOCK, address, length());
    }

    void check(String what) {
      for (int i = 0; i < blocks; i++) {
        int at = start + i * BLOCK;
        assertThat(into.getLong(at)).as(what).isEqualTo(block + i + 1);
        assertThat(into.getLong(at + BLOCK - 8)).as(what).isEqualTo(-(block + i));
      }
      for (int i = 0; i < start; i++) {
        assertThat(into.get(i)).as(what).isZero();
      }
      assertThat(into.getLong(start + length())).as(what).isZero();
    }
  }
}
