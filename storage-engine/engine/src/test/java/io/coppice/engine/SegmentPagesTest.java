package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What lives in zones, and where moved blocks lie, with next to no memory for it: every page is
/// stored, and read when it is needed.
class SegmentPagesTest {

  private static final int BLOCK = 4096;
  private static final int CLEANING = 100; // percent: always

  // Large enough to write the volume twice while no zone can be emptied, as damaged pages have it.
  private static final int POOL = 24 << 20; // bytes
  private static final int BLOCKS = 1024;
  private static final long LITTLE = EngineOptions.MIN_MAP_MEMORY;

  private final VolumeId volume = new VolumeId(new UUID(1, 1));
  private final long[] model = new long[BLOCKS];
  private final SplittableRandom random = new SplittableRandom(8_700_001);
  private PoolFixture pool = PoolFixture.ofBytes(POOL).options(options(LITTLE, 0));
  private long lastContent;

  /// A pool of which the cleaner has moved much.
  @BeforeEach
  void clean() {
    try (RedirectOnWriteEngine engine = pool.format().open(options(LITTLE, CLEANING))) {
      engine.create(
          new OperationId(new UUID(2, 1)), VolumeSpec.thin(volume, (long) BLOCKS * BLOCK));
      for (int block = 0; block < BLOCKS; block += 8) {
        write(engine, block, 8);
      }
      for (int i = 0; i < 1200; i++) {
        write(engine, random.nextInt(BLOCKS), 1);
      }
      engine.checkpoint();
      assertThat(engine.cleaned().blocksMoved()).isPositive();
    }
    pool.whole();
  }

  @Test
  void aMovedBlockIsFoundByItsPageAndTheCommitterReadsNone() {
    try (RedirectOnWriteEngine engine = pool.open()) {
      assertThat(engine.maps().pageLoads()).isZero();
      verify(engine);
      assertThat(engine.maps().pageLoads()).isPositive();
    }
  }

  @Test
  void withMemoryForItAPageIsReadOnce() {
    try (RedirectOnWriteEngine engine = pool.open(options(256L << 20, 0))) {
      verify(engine);
      long loads = engine.maps().pageLoads();
      verify(engine);
      assertThat(engine.maps().pageLoads()).isEqualTo(loads);
    }
  }

  @Test
  void crashesAndCheckpointsAtRandomLoseNothing() {
    RedirectOnWriteEngine engine = pool.open(options(LITTLE, CLEANING));
    for (int round = 0; round < 12; round++) {
      for (int i = random.nextInt(300); i > 0; i--) {
        write(engine, random.nextInt(BLOCKS), 1);
      }
      if (random.nextBoolean()) {
        engine.checkpoint();
      }
      if (random.nextBoolean()) {
        engine.abandon();
        pool = pool.afterCrash(random).whole();
        engine = pool.open(options(LITTLE, CLEANING));
      }
      verify(engine);
    }
    engine.close();
    pool.whole();
  }

  @Test
  void aPageDamagedInOneCopyIsReadFromTheOtherAndWrittenAnew() {
    List<Long> pages = pages();
    assertThat(pages).isNotEmpty();
    // Copies come in pairs of zones: the first of each page is the one with the lower offset.
    Map<Long, Long> first = new HashMap<>();
    pages.forEach(at -> first.merge(selfOf(at), at, Math::min));
    first.values().forEach(at -> pool.device().flipBit(at + 60, 2));
    assertThat(PoolChecker.check(pool.device(), false).damages()).isZero();

    try (RedirectOnWriteEngine engine = pool.open()) {
      verify(engine);
      assertThat(engine.counters().copiesMended()).isPositive();
    }
  }

  @Test
  void aPageDamagedInBothCopiesRefusesReadsOfMovedBlocksAndNothingElse() {
    try (RedirectOnWriteEngine engine = pool.open()) {
      write(engine, 0, 8); // the cleaner has not moved these
    }
    pages().forEach(at -> pool.device().flipBit(at + 60, 2));
    assertThat(PoolChecker.check(pool.device(), false).damages()).isPositive();

    try (RedirectOnWriteEngine engine = pool.open()) {
      int refused = 0;
      for (int block = 0; block < BLOCKS; block++) {
        int at = block;
        try {
          assertReads(engine, at);
        } catch (StorageException.Damaged e) {
          refused++;
          assertThat(e).hasMessageContaining("LBA %d to %d".formatted(8 * at, 8 * at + 7));
          assertThatThrownBy(() -> assertReads(engine, at))
              .isInstanceOf(StorageException.Damaged.class);
        }
      }
      assertThat(refused).isBetween(1, BLOCKS - 1);
      // Nothing that a page names that does not read is left after this: it is not needed any more.
      for (int block = 0; block < 2 * BLOCKS; block += 8) {
        write(engine, block % BLOCKS, 8);
        if (block == BLOCKS) {
          verify(engine);
        }
      }
      engine.checkpoint();
      verify(engine);
    }
    pool.whole();
    try (RedirectOnWriteEngine engine = pool.open()) {
      verify(engine);
    }
  }

  @Test
  void aWriteIsRefusedWithTheReasonWhenNoZoneCanBeEmptied() {
    pages().forEach(at -> pool.device().flipBit(at + 60, 2));
    try (RedirectOnWriteEngine engine = pool.open()) {
      VolumeId other = new VolumeId(new UUID(1, 2));
      engine.create(new OperationId(new UUID(2, 2)), VolumeSpec.thin(other, POOL));
      assertThatThrownBy(
              () -> {
                for (long at = 0; at < POOL; at += BLOCK) {
                  long offset = at;
                  ByteBuffer bytes = content(++lastContent);
                  Await.io(done -> engine.open(other).write(offset, bytes, done));
                }
              })
          .isInstanceOf(StorageException.OutOfSpace.class)
          .hasMessageMatching(
              "Volume .* needs 4096 bytes, the pool has"
                  + " (0 free|\\d+ free, but none of its zones can be emptied)\\.");
    }
  }

  // ---- the pool

  private static EngineOptions options(long memory, int cleanerStartPercent) {
    return EngineOptions.defaults()
        .withReaderThreads(2)
        .withMapMemoryBytes(memory)
        .withCleaning(new CleaningSettings(cleanerStartPercent, 85, 1, 1, 1000, 200));
  }

  private List<Long> pages() {
    List<Long> pages = new ArrayList<>();
    for (long sector : pool.device().storedSectors()) {
      if (sector % BLOCK == 0
          && sector >= PoolLayout.SUPERBLOCK_AREA
          && bytesAt(sector).getLong(0) == StructureHeader.PAGE) {
        pages.add(sector);
      }
    }
    return pages;
  }

  private long selfOf(long offset) {
    return bytesAt(offset).getLong(32);
  }

  private ByteBuffer bytesAt(long offset) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    pool.device().read(offset, bytes);
    return bytes;
  }

  private void write(RedirectOnWriteEngine engine, int first, int blocks) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      model[first + i] = ++lastContent;
      bytes.put(content(lastContent));
    }
    Await.io(done -> engine.open(volume).write((long) first * BLOCK, bytes.flip(), done));
  }

  private void verify(RedirectOnWriteEngine engine) {
    for (int block = 0; block < BLOCKS; block++) {
      assertReads(engine, block);
    }
  }

  private void assertReads(RedirectOnWriteEngine engine, int block) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(volume).read((long) block * BLOCK, found, done));
    assertThat(found.flip()).as("block %d", block).isEqualTo(content(model[block]));
  }

  private static ByteBuffer content(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom content = new SplittableRandom(number);
    while (bytes.hasRemaining()) {
      bytes.putLong(content.nextLong());
    }
    return bytes.clear();
  }
}
