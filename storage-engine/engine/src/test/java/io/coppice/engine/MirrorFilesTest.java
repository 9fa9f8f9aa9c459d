package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.QuietEngine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A pool in two files, of which one is damaged, lost or replaced while the pool is not open.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class MirrorFilesTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1024;
  private static final long CAPACITY = 24 << 20;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  @TempDir private Path folder;
  private Path second;
  private EngineOptions options;

  @BeforeEach
  void make() {
    second = folder.resolve("elsewhere");
    options = EngineOptions.defaults().withReaderThreads(2).withMirror(second);
    PoolDirectory.create(
        folder, CAPACITY, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    try (StorageEngine engine = open(options)) {
      awaitRedundant(engine);
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
      ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCKS * BLOCK);
      for (int i = 0; i < BLOCKS; i++) {
        bytes.put(content(i));
      }
      Await.io(done -> engine.open(VOLUME).write(0, bytes.flip(), done));
    }
  }

  @Test
  void dataAndMapsWrittenOverOnOneAreWrittenAnew() throws IOException {
    assertThat(check().isClean()).isTrue();
    for (Path file : new Path[] {folder.resolve("pool"), second}) {
      overwrite(file, 2 << 20, (int) CAPACITY - (2 << 20));

      assertThat(check().damages()).isPositive();
      try (StorageEngine engine = open(options)) {
        assertReads(engine);
        engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
        engine.scrub().start();
        Await.until("the pass ends", () -> !engine.scrub().status().running());
        assertThat(engine.scrub().status().badBlocks()).isZero();
      }
      CheckReport after = check();
      assertThat(after.isClean()).as("%s", after.findings()).isTrue();
    }
  }

  @Test
  void aFillTakesWhatOnlyTheFileThatIsFilledHasAndNamesWhatNeitherHas() throws IOException {
    Path first = folder.resolve("pool");
    Path away = folder.resolve("away");
    assertThat(overwriteContent(first, 100, 900)).isEqualTo(800);
    Files.move(second, away);
    open(options.withStartsDegraded(true)).close();
    Files.move(away, second);
    overwriteContent(second, 300, 302);

    try (StorageEngine engine = open(options)) {
      awaitRedundant(engine);
      assertThat(engine.mirror().orElseThrow().sentence())
          .contains(
              "Neither device has 2 blocks of volumes",
              "LBA 2400 to 2407 of volume " + VOLUME,
              "LBA 2408 to 2415 of volume " + VOLUME);
      assertThat(engine.scrub().status().findings()).hasSize(2);
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      for (int i = 0; i < BLOCKS; i++) {
        int block = i;
        if (block < 300 || block >= 302) {
          Await.io(done -> engine.open(VOLUME).read((long) block * BLOCK, found.clear(), done));
          assertThat(found.flip()).as("block %d", block).isEqualTo(content(block));
        }
      }
      ByteBuffer anew = ByteBuffer.allocateDirect(2 * BLOCK).put(content(300)).put(content(301));
      Await.io(done -> engine.open(VOLUME).write(300L * BLOCK, anew.flip(), done));
      assertThat(engine.mirror().orElseThrow().sentence()).isEmpty();
    }
    CheckReport after = check();
    assertThat(after.isClean()).as("%s", after.findings()).isTrue();
  }

  @Test
  void aFileThatIsGoneIsMissedAndAnEmptyOneInItsPlaceIsFilled() throws IOException {
    Files.delete(folder.resolve("pool"));

    assertThat(PoolDirectory.holdsPool(folder, options)).isTrue();
    assertThatThrownBy(() -> open(options))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("may have gone on alone");
    try (StorageEngine engine = open(options.withStartsDegraded(true))) {
      assertThat(engine.mirror().orElseThrow().first()).isEqualTo(MirrorStatus.State.ABSENT);
      assertReads(engine);
    }
    Files.createFile(folder.resolve("pool"));
    try (StorageEngine engine = open(options)) {
      awaitRedundant(engine);
      assertReads(engine);
    }
    assertThat(check().isClean()).isTrue();
    Files.delete(second);
    assertThatThrownBy(() -> open(options)).isInstanceOf(StorageException.PoolUnusable.class);
    assertThat(second).doesNotExist();
    try (StorageEngine engine = open(options.withStartsDegraded(true))) {
      assertReads(engine);
    }
  }

  @Test
  void theSameFileTwiceAndAForeignOneAreRefused() throws IOException {
    Path pool = folder.resolve("pool");
    byte[] before = Files.readAllBytes(pool);

    assertThatThrownBy(() -> open(options.withMirror(pool)))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("found the same one");
    Path other = folder.resolve("other");
    PoolDirectory.create(
        other, CAPACITY, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    assertThatThrownBy(() -> open(options.withMirror(other.resolve("pool"))))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("Expected two devices of one pool");
    assertThat(Files.readAllBytes(pool)).isEqualTo(before);
  }

  @Test
  void aFileInUseIsNobodyElsesSecondOne() throws IOException {
    Path other = folder.resolve("other");
    PoolDirectory.create(
        other, CAPACITY, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    Path link = Files.createSymbolicLink(folder.resolve("link"), second);
    try (StorageEngine engine = open(options)) {
      for (Path taken : List.of(second, link, folder.resolve("pool"))) {
        assertThatThrownBy(() -> PoolDirectory.open(other, options.withMirror(taken)))
            .isInstanceOf(StorageException.PoolUnusable.class)
            .hasMessageContaining("%s is in use by another process or engine", taken);
      }
      assertThatThrownBy(() -> ReadOnlyFile.open(second))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("in use");
      assertReads(engine);
    }
    try (ReadOnlyFile _ = ReadOnlyFile.open(second)) {
      assertThatThrownBy(() -> open(options))
          .isInstanceOf(StorageException.PoolUnusable.class)
          .hasMessageContaining("in use");
    }
    assertThat(check().isClean()).isTrue();
    open(options).close();
    PoolDirectory.open(other, options.withMirror(null)).close();
  }

  private StorageEngine open(EngineOptions how) {
    return PoolDirectory.open(folder, how);
  }

  private static void awaitRedundant(StorageEngine engine) {
    Await.until("both hold everything", () -> engine.mirror().orElseThrow().isRedundant());
  }

  private CheckReport check() {
    try (ReadOnlyFile one = ReadOnlyFile.open(folder.resolve("pool"));
        ReadOnlyFile two = ReadOnlyFile.open(second)) {
      return PoolChecker.check(one, two, false);
    }
  }

  private static void assertReads(StorageEngine engine) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCKS * BLOCK);
    Await.io(done -> engine.open(VOLUME).read(0, found, done));
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(found.slice(i * BLOCK, BLOCK)).as("block %d", i).isEqualTo(content(i));
    }
  }

  /// Writes over those blocks of the volume, wherever they stand.
  ///
  /// @return how many there were
  private static int overwriteContent(Path file, int from, int to) throws IOException {
    Set<ByteBuffer> wanted = new HashSet<>();
    for (int block = from; block < to; block++) {
      wanted.add(content(block));
    }
    byte[] all = Files.readAllBytes(file);
    int found = 0;
    for (int at = 0; at < all.length; at += BLOCK) {
      if (wanted.contains(ByteBuffer.wrap(all, at, BLOCK))) {
        overwrite(file, at, BLOCK);
        found++;
      }
    }
    return found;
  }

  /// As `dd conv=notrunc`.
  private static void overwrite(Path file, long offset, int length) throws IOException {
    byte[] other = new byte[length];
    new SplittableRandom(offset).nextBytes(other);
    try (RandomAccessFile written = new RandomAccessFile(file.toFile(), "rw")) {
      written.seek(offset);
      written.write(other);
    }
  }

  private static ByteBuffer content(int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }
}
