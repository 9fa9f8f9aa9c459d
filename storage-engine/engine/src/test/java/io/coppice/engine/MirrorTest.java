package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pool on two devices: what one of them loses the other one has, and no older state is ever
/// taken for the pool.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class MirrorTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 512;
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final long SIZE = 24L << 20;

  private SimulatedBlockDevice first = new SimulatedBlockDevice(SIZE);
  private SimulatedBlockDevice second = new SimulatedBlockDevice(SIZE);
  private final int[] rounds = new int[BLOCKS];

  // ---- damage on one device

  @Test
  void aBlockDamagedOnEitherDeviceIsReadAndWrittenAnew() {
    try (RedirectOnWriteEngine engine = made()) {
      write(engine, 0, BLOCKS, 1);
      engine.checkpoint();
      List<ScrubFinding> told = told(engine);
      for (int block = 0; block < BLOCKS; block += 7) {
        flip(block % 2 == 0 ? first : second, content(1, block));
      }

      assertAllReads(engine);
      scrub(engine);

      assertThat(told)
          .hasSize((BLOCKS + 6) / 7)
          .allSatisfy(f -> assertThat(f).isInstanceOf(ScrubFinding.MendedBlock.class));
      assertThat(told.getFirst().sentence()).contains("LBA 0 to 7 of volume " + VOLUME);
      assertThat(engine.scrub().status().badBlocks()).isZero();
    }
    CheckedPool.whole(first, second);
    CheckedPool.whole(first);
    CheckedPool.whole(second);
  }

  @Test
  void aBlockDamagedOnBothIsRefusedAndNamed() {
    try (RedirectOnWriteEngine engine = made()) {
      write(engine, 0, BLOCKS, 1);
      flip(first, content(1, 8));
      flip(second, content(1, 8));

      assertThatThrownBy(() -> read(engine, 8))
          .isInstanceOf(StorageException.Damaged.class)
          .hasMessageContaining("LBA 64 to 71 of volume " + VOLUME);
      assertThat(scrub(engine).badBlocks()).isEqualTo(1);
    }
  }

  @Test
  void whateverOneDeviceLosesOfTheLogThePoolOpensWithEverything() {
    RedirectOnWriteEngine engine = made();
    write(engine, 0, 64, 1);
    engine.checkpoint();
    for (int block = 0; block < 40; block++) {
      write(engine, block, 1, 2);
    }
    engine.abandon();
    List<Long> headers = first.structures(StructureHeader.BATCH);
    for (int i = 0; i < headers.size(); i++) {
      (i % 2 == 0 ? first : second).flipBit(headers.get(i) + 100, 3);
    }
    flip(second, content(2, 39));

    try (RedirectOnWriteEngine again = open(first, second)) {
      assertAllReads(again);
      scrub(again);
    }
    CheckedPool.whole(first);
    CheckedPool.whole(second);
  }

  @Test
  void aDeviceThatFailsWhenItIsToBeMendedIsLeftOutAndItsDamageIsNoneOfThePool() {
    try (RedirectOnWriteEngine engine = made()) {
      write(engine, 0, BLOCKS, 1);
      engine.checkpoint();
      second.structures(StructureHeader.NODE).forEach(offset -> second.flipBit(offset + 100, 3));
      second.failSyncs(1);

      assertThat(scrub(engine).findings()).isEmpty();
      assertThat(engine.mirror().orElseThrow().second()).isEqualTo(MirrorStatus.State.ABSENT);
      assertAllReads(engine);
    }
    CheckedPool.whole(first);
  }

  @Test
  void everySectorOfOneDeviceMayBeDamaged() {
    RedirectOnWriteEngine engine = made();
    write(engine, 0, BLOCKS, 1);
    engine.close();
    SplittableRandom random = new SplittableRandom(77);
    for (long offset : first.storedSectors()) {
      if (offset >= PoolLayout.SUPERBLOCK_AREA) {
        first.flipBit(offset + random.nextInt(512), random.nextInt(8));
      }
    }

    try (RedirectOnWriteEngine again = open(first, second)) {
      assertAllReads(again);
      scrub(again);
      again.checkpoint();
      scrub(again);
      assertThat(again.scrub().status().badBlocks()).isZero();
    }
    CheckedPool.whole(first, second);
  }

  // ---- a device that fails or is missing

  @Test
  void aDeviceThatFailsIsLeftOutAndFilledWhenItIsBack() {
    RedirectOnWriteEngine engine = made();
    write(engine, 0, 100, 1);
    second.failSyncs(1);
    write(engine, 50, 100, 2);
    engine.checkpoint();
    write(engine, 100, 100, 3);

    assertThat(engine.mirror().orElseThrow().second()).isEqualTo(MirrorStatus.State.ABSENT);
    assertThat(engine.mirror().orElseThrow().sentence())
        .startsWith("The second device of the pool is missing or has failed");
    assertAllReads(engine);
    engine.close();
    second = second.afterCrash(new SplittableRandom(1));

    assertThatThrownBy(() -> open(null, second))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining("may have gone on alone");
    try (RedirectOnWriteEngine alone = open(first, null)) {
      assertAllReads(alone);
      write(alone, 200, 10, 4);
    }
    try (RedirectOnWriteEngine again = open(first, second)) {
      write(again, 210, 200, 5);
      awaitRedundant(again);
      assertAllReads(again);
    }
    CheckedPool.whole(first, second);
    assertThat(open(first, second).mirror().orElseThrow().isRedundant()).isTrue();
    try (RedirectOnWriteEngine other =
        RedirectOnWriteEngine.open(null, second, options().withStartsDegraded(true), CLOCK)) {
      assertAllReads(other);
    }
  }

  @Test
  void aReadOfADeviceThatIsLeftOutMeanwhileHasWhatTheOtherHolds() {
    RedirectOnWriteEngine engine = made();
    write(engine, 0, BLOCKS, 1);
    int block = 0;
    while ((find(second, content(1, block)) >> 20) % 2 == 0) {
      block++; // until one whose turn is the second device's
    }
    flip(second, content(1, block));
    SimulatedBlockDevice.Held held = second.holdNextRead();
    int wanted = block;
    CompletableFuture<ByteBuffer> read = CompletableFuture.supplyAsync(() -> read(engine, wanted));
    held.awaitArrival();
    second.failSyncs(1);
    write(engine, 0, 1, 1);
    held.release();

    assertThat(read.join()).isEqualTo(content(1, wanted));
    assertThat(engine.mirror().orElseThrow().second()).isEqualTo(MirrorStatus.State.ABSENT);
    engine.close();
  }

  @Test
  void theLastDeviceThatFailsStopsThePool() {
    RedirectOnWriteEngine engine = made();
    write(engine, 0, 10, 1);
    first.failWrite(1);
    write(engine, 0, 10, 2);
    second.failSyncs(1);

    assertThatThrownBy(() -> write(engine, 10, 10, 3))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped");
    engine.abandon();
  }

  @Test
  void nothingIsAcknowledgedOnOneDeviceBeforeItSaysThatTheOtherIsBehind() {
    SplittableRandom random = new SplittableRandom(5);
    RedirectOnWriteEngine engine = made();
    write(engine, 0, 10, 1);
    second.failSyncs(1);
    write(engine, 0, 10, 2);
    engine.abandon();
    first = first.afterCrash(random);
    second = second.afterCrash(random);

    assertThatThrownBy(() -> RedirectOnWriteEngine.open(null, second, options(), CLOCK))
        .isInstanceOf(StorageException.PoolUnusable.class);
    try (RedirectOnWriteEngine again = open(first, second)) {
      assertAllReads(again);
      awaitRedundant(again);
    }
    try (RedirectOnWriteEngine again = open(first, null, true)) {
      assertAllReads(again);
    }
  }

  @Test
  void aFillThatIsCutShortBeginsAnewAndTheDeviceNeverCountsBefore() {
    SplittableRandom random = new SplittableRandom(9);
    RedirectOnWriteEngine engine = made();
    write(engine, 0, BLOCKS, 1);
    second.failWrite(1);
    write(engine, 0, 10, 2);
    engine.close();
    boolean redundant = false;
    for (int operations = 1; !redundant; operations++) {
      second = second.afterCrash(random);
      second.losePowerAfter(operations);
      RedirectOnWriteEngine again = open(first, second);
      Await.until(
          "the fill ends",
          () -> again.mirror().orElseThrow().second() != MirrorStatus.State.FILLING);
      write(again, operations % BLOCKS, 1, 2 + operations);
      redundant = again.mirror().orElseThrow().isRedundant();
      again.abandon();
      assertFillsAnew(false, random);
    }
  }

  /// A crash between the superblocks of the two that say that both hold everything.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeviceThatWasFilledCountsForNothingOnceTheOtherOneWentOnWithoutKnowing(boolean isFirst) {
    SplittableRandom random = new SplittableRandom(13);
    RedirectOnWriteEngine engine = made();
    write(engine, 0, BLOCKS, 1);
    (isFirst ? first : second).failWrite(1);
    write(engine, 0, 10, 2);
    engine.close();
    first = first.afterCrash(random);
    second = second.afterCrash(random);
    SimulatedBlockDevice unknowing = (isFirst ? second : first).afterCrash(random);
    RedirectOnWriteEngine filling = open(first, second);
    awaitRedundant(filling);
    filling.abandon();
    first = isFirst ? first : unknowing;
    second = isFirst ? unknowing : second;

    RedirectOnWriteEngine alone = open(isFirst ? null : first, isFirst ? second : null);
    write(alone, 0, 20, 3);
    alone.abandon();
    assertThat(PoolChecker.check(first, second, false).findings().toString())
        .contains("the %s one does not".formatted(isFirst ? "first" : "second"));
    assertFillsAnew(isFirst, random);
  }

  private void assertFillsAnew(boolean isFirst, SplittableRandom random) {
    SimulatedBlockDevice one = first.afterCrash(random);
    SimulatedBlockDevice two = second.afterCrash(random);
    try (RedirectOnWriteEngine both = open(one, two)) {
      assertAllReads(both);
      awaitRedundant(both);
    }
    try (RedirectOnWriteEngine filled = open(isFirst ? one : null, isFirst ? null : two, true)) {
      assertAllReads(filled);
    }
    CheckedPool.whole(isFirst ? one : two);
  }

  // ---- devices that do not belong together

  @Test
  void devicesThatDoNotBelongTogetherAreRefusedInOneSentenceAndLeftAsTheyAre() {
    made().close();
    SimulatedBlockDevice a = first;
    SimulatedBlockDevice b = second;
    SimulatedBlockDevice older = b.afterCrash(new SplittableRandom(1));
    try (RedirectOnWriteEngine engine = open(a, b)) {
      write(engine, 0, 10, 1);
      engine.checkpoint();
      engine.checkpoint();
    }
    first = new SimulatedBlockDevice(SIZE);
    second = new SimulatedBlockDevice(SIZE);
    made().close();
    SimulatedBlockDevice single = new SimulatedBlockDevice(SIZE);
    RedirectOnWriteEngine.format(single, format());

    refused(b, a, "found the second one");
    refused(a, second, "Expected two devices of one pool");
    refused(a, single, "Expected two devices of one pool");
    refused(a, older, "from an older time");
    refused(a, new SimulatedBlockDevice(SIZE), "found none of that mirror");
    refused(new SimulatedBlockDevice(SIZE), b, "found none of that mirror");
    refused(a, null, "found none of that mirror");
    refused(null, b, "found none of that mirror");
    refused(null, single, "must be given as the first");
    refused(single, new SimulatedBlockDevice(8L << 20), "bytes on the second device");
    refused(a, a.afterCrash(new SplittableRandom(2)), "found the first one");
  }

  @Test
  void twoThatBothWentOnAloneAreRefused() {
    made().close();
    try (RedirectOnWriteEngine engine = open(first, null, true)) {
      write(engine, 0, 10, 1);
    }
    SimulatedBlockDevice one = first;
    try (RedirectOnWriteEngine engine = open(null, second, true)) {
      write(engine, 0, 10, 2);
    }

    refused(one, second, "found that both did");
  }

  @Test
  void aPoolOnOneDeviceGetsASecondAndAReplacedDeviceIsNotTakenBack() {
    RedirectOnWriteEngine.format(first, format());
    try (RedirectOnWriteEngine engine = RedirectOnWriteEngine.open(first, options(), CLOCK)) {
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
      write(engine, 0, 200, 1);
      assertThat(engine.mirror()).isEmpty();
    }
    try (RedirectOnWriteEngine engine = open(first, second)) {
      write(engine, 100, 200, 2);
      awaitRedundant(engine);
      assertAllReads(engine);
    }
    CheckedPool.whole(first, second);
    SimulatedBlockDevice replaced = first;
    first = new SimulatedBlockDevice(SIZE);
    try (RedirectOnWriteEngine engine = open(first, second, true)) {
      write(engine, 0, 50, 3);
      awaitRedundant(engine);
    }
    CheckedPool.whole(first, second);
    refused(replaced, second, "which was replaced");
    try (RedirectOnWriteEngine engine = open(first, null, true)) {
      assertAllReads(engine);
    }
  }

  // ---- tools

  private void refused(
      @Nullable SimulatedBlockDevice one, @Nullable SimulatedBlockDevice two, String reason) {
    List<List<Integer>> before = hashes(one, two);
    assertThatThrownBy(() -> open(one, two))
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    assertThat(hashes(one, two)).isEqualTo(before);
  }

  private static List<List<Integer>> hashes(
      @Nullable SimulatedBlockDevice one, @Nullable SimulatedBlockDevice two) {
    List<List<Integer>> hashes = new ArrayList<>();
    hashes.add(one == null ? List.of() : one.contentHashes());
    hashes.add(two == null ? List.of() : two.contentHashes());
    return hashes;
  }

  private static PoolFormat format() {
    return new PoolFormat(UUID.randomUUID(), 256 << 10, CLOCK.instant());
  }

  private static EngineOptions options() {
    return EngineOptions.defaults().withReaderThreads(2);
  }

  private RedirectOnWriteEngine made() {
    RedirectOnWriteEngine.format(first, second, format());
    RedirectOnWriteEngine engine = open(first, second);
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
    return engine;
  }

  private static RedirectOnWriteEngine open(
      @Nullable SimulatedBlockDevice one, @Nullable SimulatedBlockDevice two) {
    return open(one, two, false);
  }

  private static RedirectOnWriteEngine open(
      @Nullable SimulatedBlockDevice one, @Nullable SimulatedBlockDevice two, boolean vouched) {
    RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(one, two, options().withStartsDegraded(vouched), CLOCK);
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
    return engine;
  }

  private static void awaitRedundant(StorageEngine engine) {
    Await.until("both hold everything", () -> engine.mirror().orElseThrow().isRedundant());
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

  private void write(StorageEngine engine, int from, int blocks, int round) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      bytes.put(content(round, from + i));
    }
    Await.io(done -> engine.open(VOLUME).write((long) from * BLOCK, bytes.flip(), done));
    for (int i = 0; i < blocks; i++) {
      rounds[from + i] = round;
    }
  }

  private static ByteBuffer read(StorageEngine engine, int block) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(VOLUME).read((long) block * BLOCK, found, done));
    return found.flip();
  }

  private void assertAllReads(StorageEngine engine) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCKS * BLOCK);
    Await.io(done -> engine.open(VOLUME).read(0, found, done));
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer expected =
          rounds[block] == 0 ? ByteBuffer.allocate(BLOCK) : content(rounds[block], block);
      assertThat(found.slice(block * BLOCK, BLOCK)).as("block %d", block).isEqualTo(expected);
    }
  }

  private static ByteBuffer content(int round, int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(((long) round << 32) + block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  private static void flip(SimulatedBlockDevice device, ByteBuffer content) {
    device.flipBit(find(device, content) + 1000, 4);
  }

  private static long find(SimulatedBlockDevice device, ByteBuffer content) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (long at = 0; at < SIZE; at += BLOCK) {
      device.read(at, block.clear());
      if (block.flip().equals(content)) {
        return at;
      }
    }
    throw new AssertionError("the content is nowhere on the device");
  }
}
