package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Damage is found where nobody has read yet, and told with everyone who sees it.
@Timeout(120)
class ScrubTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  // As a test decides when a checkpoint is made, none is due by itself.
  @AutoClose
  private final PoolFixture pool =
      PoolFixture.ofBytes(48 * MIB)
          .options(EngineOptions.defaults().withCheckpointBytes(1L << 40))
          .clock(InstantSource.system());

  private final SimulatedBlockDevice device = pool.device();
  private final List<ScrubFinding> told = new CopyOnWriteArrayList<>();
  private RedirectOnWriteEngine engine;

  @BeforeEach
  void format() {
    pool.format();
    open();
  }

  private void open() {
    engine = pool.open();
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
    engine.scrub().listen(told::add);
  }

  // ---- data

  @Test
  void aWholePoolIsVerifiedWithoutAFinding() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 2048, 1);
    snapshot(id);
    write(id, 100, 200, 2);
    engine.checkpoint();
    write(id, 500, 10, 3);

    ScrubStatus status = scrub();

    assertThat(status.findings()).isEmpty();
    assertThat(status.badBlocks()).isZero();
    assertThat(status.bytesVerified()).isGreaterThanOrEqualTo((2048 + 200 + 10) * (long) BLOCK);
    assertThat(status.percentDone()).isEqualTo(100);
    assertThat(status.lastStarted()).isNotNull();
  }

  @Test
  void aDamagedBlockIsToldWithEveryVolumeAndLbaThatSeesIt() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 2048, 1);
    VolumeId snapshot = snapshot(id);
    VolumeId clone = cloneOf(id);
    VolumeId copy = volume(8 * MIB);
    Await.io(d -> engine.open(copy).copyFrom(engine.open(id), 1000L * BLOCK, 0, 8 * BLOCK, d));
    write(clone, 1003, 1, 2);
    flipABitOf(content(1, 1003));

    ScrubStatus status = scrub();

    assertThat(status.badBlocks()).isEqualTo(1);
    assertThat(seen(status.findings()))
        .containsExactlyInAnyOrder(id + " 8024", snapshot + " 8024", copy + " 24");
    assertThat(told).hasSameElementsAs(status.findings());
    assertThat(told.getFirst().sentence()).contains("are damaged in segment").contains("CRC32C");
    assertThatThrownBy(() -> read(snapshot, 1003)).isInstanceOf(StorageException.Damaged.class);
    read(clone, 1003);
  }

  @Test
  void aFindingIsToldOnceAndGoesWhenTheBlockIsWrittenOverOrFreed() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 2048, 1);
    VolumeId snapshot = snapshot(id);
    flipABitOf(content(1, 7));
    scrub();

    assertThat(scrub().findings()).hasSize(2);
    assertThat(told).hasSize(2);
    write(id, 7, 1, 2);
    assertThat(seen(engine.scrub().status().findings())).containsExactly(snapshot + " 56");
    engine.delete(OperationId.random(), snapshot);
    assertThat(engine.scrub().status().findings()).isEmpty();
    assertThat(engine.scrub().status().badBlocks()).isZero();
    assertThat(scrub().findings()).isEmpty();
  }

  @Test
  void aDamagedBlockThatNobodySeesIsNotTold() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 1024, 1);
    write(id, 10, 1, 2);
    flipABitOf(content(1, 10));

    assertThat(scrub().findings()).isEmpty();
  }

  @Test
  void aBlockThatCannotBeReadIsToldWithWhatTheDeviceSays() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 256, 1);
    device.failReads(find(content(1, 77)));

    ScrubStatus status = scrub();

    assertThat(seen(status.findings())).containsExactly(id + " " + 77 * 8);
    assertThat(told.getFirst().sentence()).contains("cannot be read, as the test asked");
  }

  @Test
  void aBlockThatAHostCouldNotReadIsToldWithEveryoneElseWhoSeesItWithoutAPass() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 256, 1);
    VolumeId snapshot = snapshot(id);
    flipABitOf(content(1, 77));

    assertThatThrownBy(() -> read(id, 77)).isInstanceOf(StorageException.Damaged.class);
    Await.until("both are told", () -> told.size() == 2);

    assertThat(seen(told)).containsExactlyInAnyOrder(id + " 616", snapshot + " 616");
    assertThat(engine.scrub().status().lastStarted()).isNull();
  }

  @Test
  void aBlockThatWasMovedByTheCleanerIsVerifiedWhereItIs() {
    SplittableRandom random = new SplittableRandom(5_000_001L);
    VolumeId still = volume(4 * MIB);
    VolumeId hot = volume(16 * MIB);
    for (int i = 0; i < 1024; i++) {
      write(still, i, 1, 1);
      write(hot, 4 * i, 4, 2);
    }
    for (int i = 0; i < 20_000 && engine.cleaned().blocksMoved() < 1000; i++) {
      write(hot, random.nextInt(4096), 1, 3);
    }
    assertThat(engine.cleaned().blocksMoved()).isGreaterThanOrEqualTo(1000);
    assertThat(scrub().findings()).isEmpty();
    // The cleaner may be at work on them, and store once more what it read before.
    for (int block = 500; block < 508; block++) {
      findAll(content(1, block)).forEach(at -> device.flipBit(at + 99, 1));
    }

    List<String> found = seen(scrub().findings());

    assertThat(found).isNotEmpty().containsExactlyInAnyOrderElementsOf(refused(still, 500, 508));
  }

  private List<String> refused(VolumeId id, int from, int to) {
    List<String> refused = new ArrayList<>();
    for (int block = from; block < to; block++) {
      try {
        read(id, block);
      } catch (StorageException.Damaged e) {
        refused.add(id + " " + 8 * block);
      }
    }
    return refused;
  }

  @Test
  void nothingIsToldWhileHostsWriteZonesAreReusedAndSnapshotsComeAndGo() {
    SplittableRandom random = new SplittableRandom(5_000_002L);
    VolumeId id = volume(16 * MIB);
    write(id, 0, 4096, 1);
    List<VolumeId> snapshots = new ArrayList<>();
    int passes = 0;
    engine.scrub().start();
    for (int i = 0; i < 12_000; i++) {
      write(id, random.nextInt(4095), 1, 2);
      if (i % 500 == 0) {
        snapshots.add(snapshot(id));
        if (snapshots.size() > 2) {
          engine.delete(OperationId.random(), snapshots.removeFirst());
        }
      }
      if (i % 700 == 0) {
        engine.checkpoint();
      }
      if (!engine.scrub().status().running()) {
        passes++;
        engine.scrub().start();
      }
    }
    Await.until("the last pass ends", () -> !engine.scrub().status().running());

    assertThat(passes).isGreaterThan(3);
    assertThat(told).isEmpty();
  }

  // ---- what the pool needs for itself

  @Test
  void aDamagedCopyOfAMapNodeIsWrittenAnewFromTheOther() {
    assertThatEachCopyIsMended(
        _ ->
            assertThat(scrub().findings())
                .extracting(ScrubFinding::sentence)
                .anySatisfy(
                    text -> assertThat(text).contains("replaced: the ").contains(" copy of ")));
    assertThat(told).hasSize(2);
  }

  @Test
  void anUnreadableCopyOfAMapNodeIsWrittenAnewFromTheOther() {
    assertThatEachCopyIsMended(
        node -> {
          device.failReads(node);
          scrub();
          device.healReads();
        });
  }

  /// Damages one copy of a map node after the other.
  ///
  /// @param scrubbing given the place of the damaged one
  private void assertThatEachCopyIsMended(LongConsumer scrubbing) {
    write(volume(8 * MIB), 0, 2048, 1);
    engine.checkpoint();
    for (long node : copies(structures(StructureHeader.NODE).getFirst())) {
      ByteBuffer before = block(node);
      device.flipBit(node + 130, 2);
      scrubbing.accept(node);
      assertThat(block(node)).isEqualTo(before);
    }
    assertThat(engine.counters().copiesMended()).isEqualTo(2);
  }

  @Test
  void aMapNodeThatIsDamagedInBothCopiesIsTold() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 2048, 1);
    engine.checkpoint();
    for (long node : copies(structures(StructureHeader.NODE).getFirst())) {
      device.flipBit(node + 130, 2);
    }

    ScrubStatus status = scrub();

    assertThat(status.findings()).hasSize(1);
    assertThat(status.findings().getFirst().sentence()).startsWith("Damaged: a map node in blocks");
    assertThat(engine.counters().copiesMended()).isZero();
  }

  @Test
  void damagedTablesAndSuperblocksAreReplacedByACheckpoint() {
    write(volume(8 * MIB), 0, 100, 1);
    engine.checkpoint();
    device.flipBit(structures(StructureHeader.CHUNK).getLast() + 80, 0);
    device.flipBit(newestSuperblock() + 100, 0);

    ScrubStatus status = scrub();

    assertThat(status.findings())
        .hasSize(2)
        .allSatisfy(f -> assertThat(f.sentence()).startsWith("Found damaged and replaced: "));
    assertThat(scrub().findings()).isEmpty();
    engine.close();
    assertThat(PoolChecker.check(device, true).damages()).isZero();
    open();
  }

  @Test
  void aDamagedHeaderInTheLogIsReplacedAndWhatStandsBehindItIsVerifiedByTheMaps() {
    VolumeId id = volume(8 * MIB);
    for (int i = 0; i < 64; i++) {
      write(id, 16 * i, 16, 1);
    }
    long header = batchBefore(find(content(1, 100)));
    device.flipBit(header + 60, 0);
    flipABitOf(content(1, 102));
    flipABitOf(content(1, 900));

    ScrubStatus status = scrub();

    assertThat(seen(status.findings()))
        .contains(id + " " + 102 * 8, id + " " + 900 * 8)
        .anySatisfy(text -> assertThat(text).startsWith("Found damaged and replaced: batch "))
        .anySatisfy(text -> assertThat(text).startsWith("Found damaged and replaced: the header "));
    engine.abandon();
    open();
    read(id, 101);
    assertThatThrownBy(() -> read(id, 102)).isInstanceOf(StorageException.Damaged.class);
  }

  // ---- its course

  @Test
  void whatWasFoundIsLookedAtAgainAfterARestart() {
    VolumeId id = volume(8 * MIB);
    write(id, 0, 256, 1);
    flipABitOf(content(1, 5));
    flipABitOf(content(1, 6));
    ScrubStatus before = scrub();
    write(id, 6, 1, 2);

    engine.close();
    told.clear();
    open();

    ScrubStatus after = engine.scrub().status();
    assertThat(after.lastStarted()).isEqualTo(millis(before.lastStarted()));
    assertThat(after.lastEnded()).isEqualTo(before.lastEnded());
    assertThat(after.bytesVerified()).isEqualTo(before.bytesVerified());
    assertThat(seen(scrub().findings())).containsExactly(id + " 40");
    assertThat(told).hasSize(1);
  }

  private static Instant millis(Instant time) {
    return Instant.ofEpochMilli(time.toEpochMilli());
  }

  @Test
  void aPassThatIsPausedGoesOnWhenItIsAskedTo() {
    write(volume(8 * MIB), 0, 2048, 1);
    SimulatedBlockDevice.Held read = device.holdNextRead();
    assertThat(engine.scrub().start()).isTrue();
    read.awaitArrival();
    assertThat(engine.scrub().start()).as("hurried already").isFalse();
    assertThat(engine.scrub().pause()).isTrue();
    assertThat(engine.scrub().pause()).as("paused already").isFalse();
    read.release();

    assertThat(engine.scrub().status().paused()).isTrue();
    assertThat(engine.scrub().status().running()).isTrue();
    assertThat(engine.scrub().resume()).isTrue();
    assertThat(engine.scrub().resume()).as("not paused").isFalse();
    Await.until("the pass ends", () -> engine.scrub().status().lastEnded() != null);
    assertThat(engine.scrub().status().findings()).isEmpty();
  }

  @Test
  void aPoolClosesInTheMiddleOfAPass() {
    write(volume(8 * MIB), 0, 2048, 1);
    engine.scrub().configure(new ScrubSettings(Duration.ofDays(14), 1));
    engine.scrub().start();
    engine.scrub().pause();

    engine.close();

    pool.whole();
  }

  // ---- tools

  private ScrubStatus scrub() {
    engine.scrub().start();
    Await.until("the pass ends", () -> !engine.scrub().status().running());
    return engine.scrub().status();
  }

  private static List<String> seen(List<ScrubFinding> findings) {
    return findings.stream()
        .map(
            finding ->
                finding instanceof ScrubFinding.BadBlock bad
                    ? bad.volume() + " " + bad.lba()
                    : finding.sentence())
        .toList();
  }

  private VolumeId volume(long size) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, size));
    return id;
  }

  private VolumeId snapshot(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(source, id, Map.of())),
        Duration.ofSeconds(10));
    return id;
  }

  private VolumeId cloneOf(VolumeId source) {
    VolumeId id = VolumeId.random();
    engine.clone(OperationId.random(), new CloneSpec(source, id, false, Map.of()));
    return id;
  }

  /// What a block of a volume holds after the `round`-th write.
  private static ByteBuffer content(int round, int block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom random = new SplittableRandom(((long) round << 32) + block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  private void write(VolumeId id, int first, int blocks, int round) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      bytes.put(content(round, first + i));
    }
    Await.io(done -> engine.open(id).write((long) first * BLOCK, bytes.flip(), done));
  }

  private void read(VolumeId id, int block) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(id).read((long) block * BLOCK, found, done));
  }

  private void flipABitOf(ByteBuffer content) {
    device.flipBit(find(content) + 77, 3);
  }

  private long find(ByteBuffer content) {
    List<Long> found = findAll(content);
    assertThat(found).isNotEmpty();
    return found.getFirst();
  }

  private List<Long> findAll(ByteBuffer content) {
    return blocks().filter(at -> block(at).equals(content)).toList();
  }

  private List<Long> structures(long magic) {
    return device.structures(magic);
  }

  /// Where the same block is.
  private List<Long> copies(long offset) {
    List<Long> copies = findAll(block(offset));
    assertThat(copies).hasSize(2);
    return copies;
  }

  private long batchBefore(long offset) {
    return structures(StructureHeader.BATCH).stream().filter(at -> at < offset).toList().getLast();
  }

  private long newestSuperblock() {
    return structures(StructureHeader.SUPERBLOCK).stream()
        .max((a, b) -> Long.compare(block(a).getLong(48), block(b).getLong(48)))
        .orElseThrow();
  }

  private Stream<Long> blocks() {
    return Stream.iterate(0L, at -> at < device.sizeInBytes(), at -> at + BLOCK);
  }

  private ByteBuffer block(long at) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    device.read(at, block);
    return block.flip().order(ByteOrder.LITTLE_ENDIAN);
  }
}
