package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.Finding;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The file of a pool that is not open is written into, as `dd` would: for each kind of structure
/// what docs/testing.md promises, and that the offline checker and the scrubber say the same.
@Timeout(120)
class DamagedPoolTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1024;

  private final VolumeId volume = VolumeId.random();
  private final VolumeId snapshot = VolumeId.random();
  private final int[] rounds = new int[BLOCKS];

  @TempDir private Path folder;

  /// A pool as an orderly end leaves it, and beside it one as a kill leaves it, with 16 batches in
  /// its log since the last checkpoint.
  @BeforeEach
  void makePools() throws IOException {
    Path stopped = folder.resolve("stopped");
    PoolDirectory.create(
        stopped, 24 << 20, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    try (StorageEngine engine = open("stopped")) {
      engine.create(OperationId.random(), VolumeSpec.thin(volume, (long) BLOCKS * BLOCK));
      write(engine, 0, BLOCKS, 1);
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(volume, snapshot, Map.of())),
          Duration.ofSeconds(10));
      write(engine, 100, 100, 2);
    }
    Files.createDirectory(folder.resolve("killed"));
    try (StorageEngine engine = open("stopped")) {
      for (int i = 0; i < 16; i++) {
        write(engine, 300 + i, 1, 3);
      }
      Files.copy(file("stopped"), file("killed"));
    }
  }

  @Test
  void undamagedPoolsAreWholeForEveryone() {
    for (String pool : List.of("stopped", "killed")) {
      assertThat(check(pool).isClean()).isTrue();
      try (StorageEngine engine = open(pool)) {
        assertThat(unreadable(engine)).isEmpty();
        assertThat(scrub(engine).findings()).isEmpty();
      }
    }
  }

  @Test
  void aDamagedBlockOfDataIsRefusedByLbaAndVolumeAndNothingElseIs() throws IOException {
    overwrite("stopped", find("stopped", content(1, 500)) + 1024, 512);

    assertThat(damages("stopped"))
        .anySatisfy(f -> assertThat(f.toString()).contains(volume.toString()).contains("4000"));
    try (StorageEngine engine = open("stopped")) {
      assertThat(unreadable(engine)).containsExactly(volume + " 500", snapshot + " 500");
      assertThatThrownBy(() -> read(engine, volume, 500))
          .isInstanceOf(StorageException.Damaged.class)
          .hasMessageContaining("LBA 4000 to 4007 of volume " + volume);
      ScrubStatus status = scrub(engine);
      assertThat(status.badBlocks()).isEqualTo(1);
      assertThat(status.findings())
          .extracting(f -> ((ScrubFinding.BadBlock) f).volume())
          .containsExactlyInAnyOrder(volume, snapshot);

      write(engine, 500, 1, 4);
      assertThat(unreadable(engine)).containsExactly(snapshot + " 500");
    }
  }

  @Test
  void aMapNodeDamagedInOneCopyIsReadFromTheOtherAndWrittenAnew() throws IOException {
    List<Long> copies = copies("stopped", StructureHeader.NODE);
    for (long copy : copies) {
      overwrite("stopped", copy + 512, 16);

      assertThat(damages("stopped")).isEmpty();
      assertThat(check("stopped").findings())
          .anySatisfy(f -> assertThat(f.sentence()).contains("one of two copies"));
      try (StorageEngine engine = open("stopped")) {
        List<ScrubFinding> told = told(engine);
        assertThat(unreadable(engine)).isEmpty();
        scrub(engine);
        assertThat(told)
            .singleElement()
            .satisfies(
                f ->
                    assertThat(f.sentence())
                        .startsWith("Found damaged and replaced: the ")
                        .contains(" copy of the map node at segment"));
        assertThat(engine.counters().copiesMended()).isEqualTo(1);
      }
      assertThat(check("stopped").findings()).isEmpty();
    }
  }

  @Test
  void aMapNodeDamagedInBothCopiesRefusesTheBlocksBelowItAndNothingElse() throws IOException {
    List<Long> copies = copies("stopped", StructureHeader.NODE);
    for (long copy : copies) {
      overwrite("stopped", copy + 512, 16);
    }
    List<ByteBuffer> before = blocks(copies);

    assertThat(damages("stopped")).anySatisfy(f -> assertThat(f.toString()).contains("node"));
    try (StorageEngine engine = open("stopped")) {
      List<String> refused = unreadable(engine);
      assertThat(refused).isNotEmpty().hasSizeLessThanOrEqualTo(2 * 512);
      String[] first = refused.getFirst().split(" ");
      VolumeId id = first[0].equals(volume.toString()) ? volume : snapshot;
      assertThatThrownBy(() -> read(engine, id, Integer.parseInt(first[1])))
          .isInstanceOf(StorageException.Damaged.class)
          .hasMessageContaining("of volume " + id)
          .hasMessageContaining("expected an intact map node at segment");
      assertThat(scrub(engine).findings())
          .anySatisfy(f -> assertThat(f.sentence()).contains("a map node in block"));
      assertThat(engine.counters().copiesMended()).isZero();
    }
    assertThat(blocks(copies)).isEqualTo(before);
  }

  private List<ByteBuffer> blocks(List<Long> offsets) throws IOException {
    ByteBuffer all = image("stopped");
    return offsets.stream().map(at -> all.slice(at.intValue(), BLOCK)).toList();
  }

  @Test
  void tablesDamagedInOneCopyAreReadFromTheOtherAndWrittenAnew() throws IOException {
    for (int which = 0; which < 2; which++) {
      overwrite("stopped", copies("stopped", StructureHeader.CHUNK).get(which) + 100, 16);

      assertThat(damages("stopped")).isEmpty();
      assertThat(check("stopped").isClean()).isFalse();
      try (StorageEngine engine = open("stopped")) {
        List<ScrubFinding> told = told(engine);
        assertThat(unreadable(engine)).isEmpty();
        scrub(engine);
        assertThat(told)
            .isNotEmpty()
            .allSatisfy(f -> assertThat(f.sentence()).startsWith("Found damaged and replaced: "));
      }
      assertThat(check("stopped").findings()).isEmpty();
    }
  }

  @Test
  void tablesDamagedInBothCopiesRefuseThePoolAndLeaveItAsItIs() throws IOException {
    for (long copy : copies("stopped", StructureHeader.CHUNK)) {
      overwrite("stopped", copy + 100, 16);
    }

    assertThat(damages("stopped")).isNotEmpty();
    assertRefused("stopped", "expected an intact piece of the checkpoint at offset");
  }

  @Test
  void aDamagedSlotOfTheNewestSuperblockIsReadFromItsSecondCopy() throws IOException {
    overwrite("stopped", newestSuperblock("stopped") + 96, 512);

    CheckReport report = check("stopped");
    assertThat(report.isClean()).isFalse();
    assertThat(report.findings())
        .anySatisfy(f -> assertThat(f.severity()).isEqualTo(Severity.WARNING));
    try (StorageEngine engine = open("stopped")) {
      assertThat(unreadable(engine)).isEmpty();
      assertThat(scrub(engine).findings()).as("the open has stored it anew").isEmpty();
    }
    assertThat(damages("stopped")).isEmpty();
  }

  @Test
  void aDamagedHeaderInsideTheAcknowledgedLogRefusesThePoolAndLeavesItAsItIs() throws IOException {
    List<Long> batches = newestBatches("killed");
    overwrite("killed", batches.get(batches.size() - 8) + 128, 64);

    assertThat(damages("killed")).anySatisfy(f -> assertThat(f.toString()).contains("batch"));
    assertRefused("killed", "batch");
  }

  @Test
  void aDamagedHeaderAtTheEndOfTheLogIsWhatACrashLeavesAndOnlyThatBatchIsMissing()
      throws IOException {
    overwrite("killed", newestBatches("killed").getLast() + 128, 64);
    rounds[315] = 1;

    assertThat(damages("killed")).isEmpty();
    try (StorageEngine engine = open("killed")) {
      assertThat(unreadable(engine)).isEmpty();
      assertThat(scrub(engine).findings()).isEmpty();
    }
  }

  @Test
  void damagedDataOfTheLastBatchIsNeverReturned() throws IOException {
    overwrite("killed", find("killed", content(3, 315)) + 2048, 8);
    rounds[315] = 1;

    try (StorageEngine engine = open("killed")) {
      assertThat(unreadable(engine)).isEmpty();
    }
  }

  @Test
  void damagedDataOfAnEarlierBatchOfTheLogIsRefusedWhereItIs() throws IOException {
    overwrite("killed", find("killed", content(3, 307)) + 2048, 8);

    assertThat(damages("killed")).isNotEmpty();
    try (StorageEngine engine = open("killed")) {
      assertThat(unreadable(engine)).containsExactly(volume + " 307");
      assertThat(scrub(engine).findings())
          .singleElement()
          .satisfies(f -> assertThat(f.sentence()).contains("LBA 2456 to 2463"));
    }
  }

  // ---- tools

  private void assertRefused(String pool, String reason) throws IOException {
    byte[] before = Files.readAllBytes(file(pool));
    assertThatThrownBy(() -> open(pool))
        .isInstanceOfAny(StorageException.Damaged.class, StorageException.PoolUnusable.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(reason).doesNotContain("\n"));
    assertThat(Files.readAllBytes(file(pool))).isEqualTo(before);
  }

  private StorageEngine open(String pool) {
    StorageEngine engine =
        PoolDirectory.open(folder.resolve(pool), EngineOptions.defaults().withReaderThreads(1));
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
    return engine;
  }

  private static ScrubStatus scrub(StorageEngine engine) {
    engine.scrub().start();
    Await.until("the pass ends", () -> !engine.scrub().status().running());
    return engine.scrub().status();
  }

  private static List<ScrubFinding> told(StorageEngine engine) {
    List<ScrubFinding> told = new CopyOnWriteArrayList<>();
    engine.scrub().listen(told::add);
    return told;
  }

  private CheckReport check(String pool) {
    Path file = file(pool);
    try (ReadOnlyFile device = ReadOnlyFile.open(file, file.resolveSibling("lock"))) {
      return PoolChecker.check(device, false);
    }
  }

  private List<Finding> damages(String pool) {
    return check(pool).findings().stream().filter(f -> f.severity() == Severity.DAMAGE).toList();
  }

  /// Blocks that are refused; every other one holds what was written to it.
  private List<String> unreadable(StorageEngine engine) {
    List<String> refused = new ArrayList<>();
    for (VolumeId id : List.of(volume, snapshot)) {
      for (int block = 0; block < BLOCKS; block++) {
        try {
          ByteBuffer found = read(engine, id, block);
          ByteBuffer expected = content(id.equals(snapshot) ? 1 : rounds[block], block);
          assertThat(found).as("block %d of %s", block, id).isEqualTo(expected);
        } catch (StorageException.Damaged e) {
          refused.add(id + " " + block);
        }
      }
    }
    return refused;
  }

  private static ByteBuffer read(StorageEngine engine, VolumeId id, int block) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(id).read((long) block * BLOCK, found, done));
    return found.flip();
  }

  private void write(StorageEngine engine, int first, int blocks, int round) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      rounds[first + i] = round;
      bytes.put(content(round, first + i));
    }
    Await.io(done -> engine.open(volume).write((long) first * BLOCK, bytes.flip(), done));
  }

  private static ByteBuffer content(int round, int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(((long) round << 32) + block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  private Path file(String pool) {
    return folder.resolve(pool).resolve("pool");
  }

  /// As `dd conv=notrunc`.
  private void overwrite(String pool, long offset, int length) throws IOException {
    byte[] other = new byte[length];
    new SplittableRandom(offset).nextBytes(other);
    try (RandomAccessFile file = new RandomAccessFile(file(pool).toFile(), "rw")) {
      file.seek(offset);
      file.write(other);
    }
  }

  private long find(String pool, ByteBuffer content) throws IOException {
    byte[] all = Files.readAllBytes(file(pool));
    for (int at = 0; at < all.length; at += BLOCK) {
      if (ByteBuffer.wrap(all, at, BLOCK).equals(content)) {
        return at;
      }
    }
    throw new AssertionError("the content is nowhere in the pool");
  }

  private List<Long> structures(String pool, long magic) throws IOException {
    ByteBuffer all = image(pool);
    List<Long> found = new ArrayList<>();
    for (int at = 0; at < all.capacity(); at += BLOCK) {
      if (all.getLong(at) == magic) {
        found.add((long) at);
      }
    }
    return found;
  }

  /// Where the two copies of one structure are that the pool needs: a leaf, or the last tables.
  private List<Long> copies(String pool, long magic) throws IOException {
    byte[] all = Files.readAllBytes(file(pool));
    long one = magic == StructureHeader.CHUNK ? tables(pool) : structures(pool, magic).getFirst();
    ByteBuffer block = ByteBuffer.wrap(all, (int) one, BLOCK);
    List<Long> copies =
        structures(pool, magic).stream()
            .filter(at -> ByteBuffer.wrap(all, at.intValue(), BLOCK).equals(block))
            .toList();
    assertThat(copies).hasSize(2);
    return copies;
  }

  private long tables(String pool) throws IOException {
    return image(pool).getLong((int) newestSuperblock(pool) + 104);
  }

  /// In the order of the log.
  private List<Long> newestBatches(String pool) throws IOException {
    ByteBuffer all = image(pool);
    List<Long> found = new ArrayList<>(structures(pool, StructureHeader.BATCH));
    found.sort((a, b) -> Long.compare(all.getLong((int) (a + 48)), all.getLong((int) (b + 48))));
    return found;
  }

  private long newestSuperblock(String pool) throws IOException {
    ByteBuffer all = image(pool);
    return structures(pool, StructureHeader.SUPERBLOCK).stream()
        .max((a, b) -> Long.compare(all.getLong((int) (a + 48)), all.getLong((int) (b + 48))))
        .orElseThrow();
  }

  private ByteBuffer image(String pool) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file(pool))).order(ByteOrder.LITTLE_ENDIAN);
  }
}
