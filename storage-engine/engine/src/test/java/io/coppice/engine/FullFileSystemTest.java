package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pool in a sparse file on a small file system of its own, which others fill and free again
/// while the pool is written. Skipped where a file system cannot be mounted.
class FullFileSystemTest {

  private static final int PIECE = 64 << 10;
  private static final int PIECES = 4000;
  private static final int ROUNDS = 5;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

  @TempDir Path folder = Path.of("");
  private Path mounted = Path.of("");
  private boolean isMounted;

  private final AtomicLongArray acknowledged = new AtomicLongArray(PIECES);
  private final LongAdder written = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean isOver;

  @BeforeEach
  void mount() throws Exception {
    Path image = folder.resolve("image");
    mounted = Files.createDirectory(folder.resolve("mounted"));
    isMounted =
        run("truncate", "-s", "256M", image.toString())
            && run("mkfs.ext4", "-q", "-m", "0", "-b", "4096", image.toString())
            && run("mount", "-o", "loop", image.toString(), mounted.toString());
    assumeTrue(isMounted, "a file system cannot be mounted here: that takes root and mkfs.ext4");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      run("umount", mounted.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static ByteBuffer content(int piece, long stamp) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    SplittableRandom random = new SplittableRandom(stamp * PIECES + piece);
    while (bytes.hasRemaining()) {
      bytes.putLong(stamp == 0 ? 0 : random.nextLong());
    }
    return bytes.flip();
  }

  /// Writes pieces of its own, each with another stamp every time.
  private void load(Volume volume, int first) {
    SplittableRandom random = new SplittableRandom(first);
    try {
      for (long stamp = 1; !isOver; stamp++) {
        int piece = first + 2 * random.nextInt(PIECES / 2);
        long now = stamp;
        try {
          Await.io(done -> volume.write((long) piece * PIECE, content(piece, now), done));
          acknowledged.set(piece, now);
          written.increment();
        } catch (StorageException.OutOfSpace full) {
          refused.increment();
          TimeUnit.MILLISECONDS.sleep(1);
        }
      }
    } catch (Exception | AssertionError e) {
      failure.set(e);
    }
  }

  private void awaitMore(LongAdder of, int count) throws Exception {
    long least = of.sum() + count;
    long start = System.nanoTime();
    while (of.sum() < least) {
      Throwable failed = failure.get();
      if (failed != null) {
        throw new AssertionError(
            "the load failed after %d writes".formatted(written.sum()), failed);
      }
      assertThat(System.nanoTime() - start).as("ns of waiting").isLessThan(PATIENCE);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /// Takes what the file system has left.
  private void fill(Path file) throws IOException {
    byte[] zeros = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  private void assertAllThere(Volume volume) {
    for (int piece = 0; piece < PIECES; piece++) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
      long at = (long) piece * PIECE;
      Await.io(done -> volume.read(at, bytes, done));
      assertThat(bytes.flip())
          .as("piece %d", piece)
          .isEqualTo(content(piece, acknowledged.get(piece)));
    }
  }

  @Test
  void aFileSystemThatIsFilledAndFreedStopsNothingAndLosesNothing() throws Exception {
    Path pool = mounted.resolve("pool");
    PoolDirectory.create(pool, 1L << 30, new PoolFormat(UUID.randomUUID(), 1 << 20, Instant.EPOCH));
    VolumeId id = VolumeId.random();
    try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
      engine.create(
          OperationId.random(), new VolumeSpec(id, (long) PIECES * PIECE, false, Map.of()));
      Volume volume = engine.open(id);
      Thread even = Thread.ofPlatform().start(() -> load(volume, 0));
      Thread odd = Thread.ofPlatform().start(() -> load(volume, 1));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          awaitMore(written, 100);
          fill(mounted.resolve("filler"));
          awaitMore(refused, 10);
          VolumeId copy = VolumeId.random();
          engine.clone(OperationId.random(), new CloneSpec(id, copy, false, Map.of()));
          engine.delete(OperationId.random(), copy);
          Files.delete(mounted.resolve("filler"));
        }
        awaitMore(written, 100);
      } finally {
        isOver = true;
        even.join();
        odd.join();
      }
      assertThat(failure.get()).isNull();
      assertAllThere(volume);
    }

    CheckedPool.whole(ReadOnlyFile.open(pool.resolve("pool"))).close();
    try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
      assertAllThere(engine.open(id));
    }
  }
}
