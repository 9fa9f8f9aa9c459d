package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Queues of reads of a real file, where this system has rings; what is done without them is tested
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
    Files.write(path, content.array());
  }

  @Test
  void noRingIsTriedWhereNoneIsWanted() {
    try (FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.PREAD)) {
      assertThat(device.readQueue()).isNull();
    }
    try (FileBlockDevice device = FileBlockDevice.open(path)) {
      assertThat(device.readQueue()).isNull();
    }
  }

  /// A system without rings says why; a device is readable all the same unless they are asked for.
  @Test
  void aFileOpensWithOrWithoutRings() {
    try (FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.AUTO);
        ReadQueue queue = device.readQueue()) {
      ByteBuffer block = AlignedBuffers.allocate(BLOCK);
      device.read(7L * BLOCK, block);
      assertThat(block.flip().order(ByteOrder.BIG_ENDIAN).getLong()).isEqualTo(8);
      if (queue == null) {
        assertThatExceptionOfType(DeviceException.class)
            .isThrownBy(() -> FileBlockDevice.open(path, DeviceIo.URING))
            .withMessageContaining("io_uring cannot be used for");
      }
    }
  }

  @Test
  void scatteredPiecesArriveWhereTheyBelong() {
    try (FileBlockDevice device = withRings();
        ReadQueue queue = queue(device)) {
      for (int seed = 0; seed < 20; seed++) {
        scatter(device, queue, seed);
      }
    }
  }

  @Test
  void threadsHaveQueuesOfTheirOwn() throws Exception {
    try (FileBlockDevice device = withRings();
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

  @Test
  void aPieceBeyondTheEndFailsAlone() {
    try (FileBlockDevice device = withRings();
        ReadQueue queue = queue(device)) {
      Wanted inside = new Wanted(5, 1, 0);
      Wanted across = new Wanted(BLOCKS - 1, 2, 0);
      Wanted beyond = new Wanted(BLOCKS + 3, 1, 0);
      for (Wanted each : List.of(across, inside, beyond)) {
        queue.add(each);
      }
      awaitAll(queue);

      inside.check("inside");
      assertThat(across.failure).hasMessageContaining("found its end");
      assertThat(beyond.failure).hasMessageContaining("found its end");
    }
  }

  @Test
  void aClosedFileIsNotReadAndItsNumberNotGivenAwayUnderAQueue() throws IOException {
    FileBlockDevice device = withRings();
    try (ReadQueue queue = queue(device)) {
      device.close();
      Path other = Files.write(folder.resolve("other"), new byte[BLOCK]);
      try (FileBlockDevice _ = FileBlockDevice.open(other)) {
        Wanted late = new Wanted(3, 1, 0);
        queue.add(late);
        awaitAll(queue);
        if (late.failure == null) {
          late.check("what the file was when the queue was opened");
        }
      }
    }
    assertThat(device.readQueue()).as("of a closed file").isNull();
  }

  private FileBlockDevice withRings() {
    FileBlockDevice device = FileBlockDevice.open(path, DeviceIo.AUTO);
    try (ReadQueue queue = device.readQueue()) {
      if (queue == null) {
        device.close();
      }
      assumeTrue(queue != null, "this system has no io_uring, or forbids it");
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
    List<Wanted> all = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < 300; i++) {
      int blocks = 1 + random.nextInt(4);
      Wanted wanted =
          new Wanted(random.nextInt(BLOCKS - blocks), blocks, random.nextInt(3) * BLOCK);
      all.add(wanted);
      bytes += wanted.length();
      while (queue.room() == 0) {
        queue.await();
      }
      queue.add(wanted);
    }
    awaitAll(queue);
    all.forEach(each -> each.check("seed " + seed));
    assertThat(device.bytesRead() - before).as("seed %d", seed).isGreaterThanOrEqualTo(bytes);
  }

  private static void awaitAll(ReadQueue queue) {
    while (!queue.isEmpty()) {
      queue.await();
    }
  }

  /// Blocks that are read to some place of a buffer.
  private static final class Wanted extends ReadQueue.Piece {
    private final int block;
    private int ends;
    private @Nullable DeviceException failure;

    Wanted(int block, int blocks, int start) {
      this.block = block;
      ByteBuffer room = AlignedBuffers.allocate(start + (blocks + 1) * BLOCK);
      set((long) block * BLOCK, room, start, blocks * BLOCK);
    }

    @Override
    public void ended(@Nullable DeviceException problem) {
      ends++;
      failure = problem;
    }

    void check(String what) {
      assertThat(ends).as(what).isEqualTo(1);
      assertThat(failure).as(what).isNull();
      ByteBuffer found = into().duplicate().order(ByteOrder.BIG_ENDIAN);
      for (int i = 0; i < length() / BLOCK; i++) {
        int at = start() + i * BLOCK;
        assertThat(found.getLong(at)).as(what).isEqualTo(block + i + 1);
        assertThat(found.getLong(at + BLOCK - 8)).as(what).isEqualTo(-(block + i));
      }
      for (int i = 0; i < start(); i++) {
        assertThat(found.get(i)).as(what).isZero();
      }
      assertThat(found.getLong(start() + length())).as(what).isZero();
    }
  }
}
