package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
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
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Maps that are larger than the memory they may take.
class PagedMapsTest {

  private static final long LEAF_SPAN = 2L << 20;
  private static final long TIB = 1L << 40;

  private final VolumeId volume = new VolumeId(new UUID(1, 1));
  private int lastId = 10;

  // ---- the largest volume

  @Test
  void aVolumeOf62TebibytesIsUsedAtAThousandPlacesWithin256MebibytesOfMaps() {
    PoolFixture pool = pool(256, 256L << 20).zones(1 << 20).format();
    long size = 62 * TIB;
    long start = System.nanoTime();
    try (RedirectOnWriteEngine engine = pool.open()) {
      engine.create(operation(), VolumeSpec.thin(volume, size));
      write(engine, volume, 0, 1);
      write(engine, volume, size - 4096, 2);
      VolumeId first = snapshot(engine);
      TreeSet<Long> places = new TreeSet<>();
      SplittableRandom random = new SplittableRandom(62);
      while (places.size() < 1000) {
        places.add(random.nextLong(size / 4096));
      }
      places.forEach(place -> write(engine, volume, place * 4096, place));
      VolumeId second = snapshot(engine);
      VolumeId clone = id();
      engine.clone(operation(), new CloneSpec(second, clone, false, Map.of()));

      assertThat(differences(engine, clone, first, size)).isEqualTo(places);
      assertThat(engine.spaceOf(clone).mapped()).isEqualTo(1002 * 4096);
      places.forEach(place -> assertReads(engine, clone, place * 4096, place));

      engine.revert(operation(), volume, first);
      assertThat(differences(engine, volume, first, size)).isEmpty();
      assertReads(engine, volume, size - 4096, 2);
      assertReads(engine, volume, places.first() * 4096, 0);
      for (VolumeInfo info : engine.list()) {
        engine.delete(operation(), info.id());
      }
      engine.awaitReclaim();
      assertThat(engine.space().used()).isZero();
    }
    System.out.printf("62 TiB volume: %.1f s%n", (System.nanoTime() - start) / 1e9);
    pool.whole();
  }

  /// First blocks of the chunks of 4 KiB that differ, asked for in pieces of 2 TiB at chunks of 2
  /// MiB, and then in those chunks.
  private static TreeSet<Long> differences(
      StorageEngine engine, VolumeId one, VolumeId other, long size) {
    TreeSet<Long> blocks = new TreeSet<>();
    for (long at = 0; at < size; at += 2 * TIB) {
      ChunkBitmap leaves =
          engine.unshared(one, other, new ByteRange(at, Math.min(2 * TIB, size - at)), LEAF_SPAN);
      for (int i = leaves.set().nextSetBit(0); i >= 0; i = leaves.set().nextSetBit(i + 1)) {
        long leaf = at + i * LEAF_SPAN;
        ChunkBitmap exact = engine.unshared(one, other, new ByteRange(leaf, LEAF_SPAN), 4096);
        exact.set().stream().forEach(bit -> blocks.add(leaf / 4096 + bit));
      }
    }
    return blocks;
  }

  // ---- more leaves than memory

  @Test
  void manyTimesMoreLeavesThanFitAreReadAndWrittenAsInTheModel() {
    for (long seed = 7_100_000; seed < 7_100_004; seed++) {
      try {
        moreLeavesThanFit(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private void moreLeavesThanFit(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long budget = EngineOptions.MIN_MAP_MEMORY * (1 + random.nextInt(16));
    PoolFixture pool = pool(48, budget).format();
    int leaves = 400;
    Map<Long, Long> model = new HashMap<>();
    Map<VolumeId, Map<Long, Long>> snapshots = new HashMap<>();
    RedirectOnWriteEngine engine = pool.open();
    engine.create(operation(), VolumeSpec.thin(volume, leaves * LEAF_SPAN));
    for (int i = 0; i < leaves; i++) {
      put(engine, model, i * LEAF_SPAN, random.nextLong());
    }
    for (int step = 0; step < 600; step++) {
      long offset = random.nextInt(leaves) * LEAF_SPAN + random.nextInt(2) * 4096L;
      switch (random.nextInt(40)) {
        case 0 -> snapshots.put(snapshot(engine), new HashMap<>(model));
        case 1 -> {
          if (!snapshots.isEmpty()) {
            VolumeId gone = List.copyOf(snapshots.keySet()).get(random.nextInt(snapshots.size()));
            snapshots.remove(gone);
            engine.delete(operation(), gone);
          }
        }
        case 2 -> {
          engine.abandon();
          pool = pool.afterCrash(random).whole();
          engine = pool.open();
        }
        case 3 -> {
          long length = LEAF_SPAN * (1 + random.nextInt(20));
          long end = Math.min(leaves * LEAF_SPAN, offset + length);
          long from = offset;
          RedirectOnWriteEngine now = engine;
          Await.io(done -> now.open(volume).unmap(from, end - from, done));
          model.keySet().removeIf(at -> at >= from && at < end);
        }
        case 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 ->
            put(engine, model, offset, random.nextLong());
        default -> assertReads(engine, volume, offset, model.getOrDefault(offset, 0L));
      }
    }
    check(engine, volume, model);
    for (var snapshot : snapshots.entrySet()) {
      check(engine, snapshot.getKey(), snapshot.getValue());
    }
    assertThat(engine.maps().evicted()).isPositive();
    assertThat(engine.maps().usedBytes()).isLessThan(2 * budget + (64 << 10));
    for (VolumeInfo info : engine.list()) {
      engine.delete(operation(), info.id());
    }
    engine.awaitReclaim();
    assertThat(engine.space().used()).isZero();
    engine.close();
    pool.whole();
  }

  private static void check(StorageEngine engine, VolumeId id, Map<Long, Long> model) {
    assertThat(engine.spaceOf(id).mapped()).isEqualTo(model.size() * 4096L);
    model.forEach((at, number) -> assertReads(engine, id, at, number));
  }

  @Test
  void manyAtOnceReadAndWriteWithinTheBudget() {
    int leaves = 256;
    long budget = 512 << 10;
    PoolFixture pool = pool(64, budget).format();
    try (RedirectOnWriteEngine engine = pool.open()) {
      engine.create(operation(), VolumeSpec.thin(volume, leaves * LEAF_SPAN));
      SplittableRandom random = new SplittableRandom(3);
      Map<Long, Long> model = new HashMap<>();
      for (int round = 0; round < 40; round++) {
        List<java.util.concurrent.CompletableFuture<Void>> under = new ArrayList<>();
        Map<Long, Long> written = new HashMap<>();
        for (int i = 0; i < 64; i++) {
          long offset = random.nextInt(leaves) * LEAF_SPAN;
          long number = random.nextLong();
          if (written.putIfAbsent(offset, number) == null) {
            ByteBuffer bytes = block(number);
            under.add(Await.start(done -> engine.open(volume).write(offset, bytes, done)));
          }
          long other = random.nextInt(leaves) * LEAF_SPAN;
          under.add(
              Await.start(
                  done -> engine.open(volume).read(other, ByteBuffer.allocateDirect(4096), done)));
        }
        under.forEach(Await::await);
        model.putAll(written);
        assertThat(engine.maps().usedBytes()).isLessThan(4 * budget);
      }
      model.forEach((at, number) -> assertReads(engine, volume, at, number));
    }
    pool.whole();
  }

  // ---- the open

  @Test
  void anOpenReadsNoMapHoweverManyThereAre() {
    PoolFixture pool = pool(64, 256L << 20).format();
    long few = bytesReadByAnOpen(pool, 1);
    long many = bytesReadByAnOpen(pool, 300);

    assertThat(many).isLessThan(few + (64 << 10));
  }

  private long bytesReadByAnOpen(PoolFixture pool, int leaves) {
    VolumeId id = id();
    try (RedirectOnWriteEngine engine = pool.open()) {
      engine.create(operation(), VolumeSpec.thin(id, leaves * LEAF_SPAN));
      for (int i = 0; i < leaves; i++) {
        write(engine, id, i * LEAF_SPAN, i + 1);
      }
    }
    try (RedirectOnWriteEngine engine = pool.open()) {
      assertThat(engine.maps().loads()).isZero();
      return engine.counters().deviceBytesRead();
    }
  }

  @Test
  void aNodeDamagedInBothCopiesRefusesWhatNeedsItAndNothingElse() {
    PoolFixture pool = pool(16, 1 << 20).format();
    SimulatedBlockDevice device = pool.device();
    try (RedirectOnWriteEngine engine = pool.open()) {
      engine.create(operation(), VolumeSpec.thin(volume, 8 * LEAF_SPAN));
      write(engine, volume, 0, 1);
    }
    TreeSet<Long> before = new TreeSet<>(device.storedSectors());
    try (RedirectOnWriteEngine engine = pool.open()) {
      write(engine, volume, LEAF_SPAN, 2);
    }
    // The leaf at the start was written by the first close alone.
    List<Long> leaf = copiesOfLeaf(device, before);
    assertThat(leaf).hasSize(2);
    leaf.forEach(copy -> device.flipBit(copy + 130, 3));
    try (RedirectOnWriteEngine engine = pool.open()) {
      assertReads(engine, volume, LEAF_SPAN, 2);
      write(engine, volume, 2 * LEAF_SPAN, 3);
      assertThatThrownBy(() -> assertReads(engine, volume, 0, 1))
          .isInstanceOf(StorageException.Damaged.class)
          .hasMessageContaining("LBA 0 to 7 of volume " + volume);
      assertThatThrownBy(() -> write(engine, volume, 4096, 4))
          .isInstanceOf(StorageException.Damaged.class)
          .hasMessageContaining("LBA 8 to 15 of volume " + volume);
      device.flipBit(leaf.getLast() + 130, 3);
      write(engine, volume, 4096, 4);
      assertThat(engine.counters().copiesMended()).isEqualTo(1);
      assertReads(engine, volume, 0, 1);
    }
  }

  private static List<Long> copiesOfLeaf(SimulatedBlockDevice device, TreeSet<Long> sectors) {
    List<Long> copies = new ArrayList<>();
    for (long sector : sectors) {
      if (sector % 4096 == 0 && sector >= io.coppice.engine.format.PoolLayout.SUPERBLOCK_AREA) {
        ByteBuffer bytes = ByteBuffer.allocate(4096).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        device.read(sector, bytes);
        if (bytes.getLong(0) == io.coppice.engine.format.StructureHeader.NODE
            && bytes.get(52) == 0
            && bytes.getLong(56) == 0) {
          copies.add(sector);
        }
      }
    }
    return copies;
  }

  // ---- one pool

  private static PoolFixture pool(int mib, long mapMemory) {
    return PoolFixture.ofBytes((long) mib << 20)
        .options(EngineOptions.defaults().withReaderThreads(4).withMapMemoryBytes(mapMemory));
  }

  private VolumeId id() {
    return new VolumeId(new UUID(1, ++lastId));
  }

  private OperationId operation() {
    return new OperationId(new UUID(2, ++lastId));
  }

  private VolumeId snapshot(StorageEngine engine) {
    VolumeId id = id();
    engine.snapshot(
        operation(), List.of(new SnapshotSpec(volume, id, Map.of())), Duration.ofSeconds(30));
    return id;
  }

  private void put(StorageEngine engine, Map<Long, Long> model, long offset, long number) {
    write(engine, volume, offset, number);
    model.put(offset, number);
  }

  private static void write(StorageEngine engine, VolumeId id, long offset, long number) {
    ByteBuffer bytes = block(number);
    Await.io(done -> engine.open(id).write(offset, bytes, done));
  }

  private static void assertReads(StorageEngine engine, VolumeId id, long offset, long number) {
    ByteBuffer into = ByteBuffer.allocateDirect(4096);
    Await.io(done -> engine.open(id).read(offset, into, done));
    assertThat(into.flip()).as("block at %d", offset).isEqualTo(block(number));
  }

  /// A block of one number, zeros for 0.
  private static ByteBuffer block(long number) {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    for (int i = 0; i < 4096; i += 8) {
      block.putLong(i, number);
    }
    return block;
  }
}
