package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Several ranges in one call cost what one does: counted in batches and records of the log.
class UnmapRangesTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;
  private static final int RANGES = 256;

  @AutoClose private final PoolFixture pool = PoolFixture.ofBytes(64 * MIB).zones(1 << 20);
  private final RedirectOnWriteEngine engine = pool.format().open();
  private final VolumeId id = VolumeId.random();
  private final Volume volume = create();

  private Volume create() {
    engine.create(OperationId.random(), VolumeSpec.thin(id, 1L << 40));
    return engine.open(id);
  }

  private static ByteBuffer ones(int length) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    while (bytes.hasRemaining()) {
      bytes.put((byte) 1);
    }
    return bytes.flip();
  }

  private byte[] read(long offset, int length) {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    volume.read(offset, into);
    byte[] bytes = new byte[length];
    into.flip().get(bytes);
    return bytes;
  }

  /// Often: commands that follow each other closely may share a batch, too.
  @Test
  void rangesThatDoNotAdjoinAreOneBatch() {
    List<ByteRange> ranges = new ArrayList<>();
    for (long i = 0; i < RANGES; i++) {
      ranges.add(new ByteRange(i * 3 * BLOCK, BLOCK));
    }
    Random random = new Random(8);
    for (int round = 0; round < 20; round++) {
      volume.write(0, ones(3 * RANGES * BLOCK));
      Collections.shuffle(ranges, random);
      EngineCounters before = engine.counters();

      Await.io(done -> volume.unmap(ranges, done));

      assertThat(engine.counters().batches() - before.batches()).isEqualTo(1);
      assertThat(engine.counters().records() - before.records()).isEqualTo(RANGES);
    }
    for (ByteRange range : ranges) {
      assertThat(read(range.offset(), BLOCK)).containsOnly(0);
      assertThat(read(range.end(), 2 * BLOCK)).containsOnly(1);
    }
  }

  @Test
  void rangesThatAdjoinOrOverlapAreOneRecord() {
    volume.write(0, ones((int) MIB));
    List<ByteRange> ranges = new ArrayList<>();
    for (long i = RANGES - 1; i >= 0; i--) {
      ranges.add(new ByteRange(i * BLOCK, i % 2 == 0 ? BLOCK : 2 * BLOCK));
    }
    ranges.add(new ByteRange(512, 0));
    EngineCounters before = engine.counters();

    Await.io(done -> volume.unmap(ranges, done));

    assertThat(engine.counters().records() - before.records()).isEqualTo(1);
    assertThat(read(0, (int) MIB)).containsOnly(0);
  }

  /// Ragged ends are writes of their own, and all of those together.
  @Test
  void raggedEndsAreZeroedAndNothingBesideThem() {
    volume.write(0, ones((int) MIB));
    List<ByteRange> ranges = new ArrayList<>();
    for (long at = 512; at + 8 * BLOCK < MIB; at += 8 * BLOCK) {
      ranges.add(new ByteRange(at, 3 * BLOCK));
      ranges.add(new ByteRange(at + 4 * BLOCK, 1024));
      ranges.add(new ByteRange(at + 4 * BLOCK + 2048, 512));
    }

    Await.io(done -> volume.unmap(ranges, done));

    byte[] expected = new byte[(int) MIB];
    Arrays.fill(expected, (byte) 1);
    ranges.forEach(
        range -> Arrays.fill(expected, (int) range.offset(), (int) range.end(), (byte) 0));
    assertThat(read(0, (int) MIB)).isEqualTo(expected);
  }

  @Test
  void oneRangeOutsideRefusesAllOfThem() {
    volume.write(0, ones(BLOCK));
    List<ByteRange> ranges =
        List.of(new ByteRange(0, BLOCK), new ByteRange(volume.sizeInBytes(), BLOCK));

    assertThatThrownBy(() -> Await.io(done -> volume.unmap(ranges, done)))
        .isInstanceOf(StorageException.InvalidRequest.class);

    assertThat(read(0, BLOCK)).containsOnly(1);
    Await.io(done -> volume.unmap(List.of(), done));
  }

  /// What differs is scattered: its copies share batches. How many do depends on how fast the
  /// threads are; one by one they never do.
  @Test
  void copyOfScatteredDifferencesDoesNotCommitRunByRun() {
    VolumeId base = VolumeId.random();
    snapshot(id, base);
    for (long i = 0; i < RANGES; i++) {
      volume.write(2 * i * BLOCK, ones(BLOCK));
    }
    VolumeId later = VolumeId.random();
    snapshot(id, later);
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) {
      VolumeId target = VolumeId.random();
      engine.clone(OperationId.random(), new CloneSpec(base, target, false, Map.of()));
      EngineCounters before = engine.counters();

      long copied = engine.copyDiffs(OperationId.random(), later, base, target);

      assertThat(copied).isEqualTo(RANGES * (long) BLOCK);
      assertThat(engine.counters().records() - before.records()).isGreaterThanOrEqualTo(RANGES);
      fewest = Math.min(fewest, engine.counters().batches() - before.batches());
    }
    assertThat(fewest).isLessThan(RANGES / 2);
  }

  private void snapshot(VolumeId of, VolumeId as) {
    engine.snapshot(
        OperationId.random(), List.of(new SnapshotSpec(of, as, Map.of())), Duration.ofSeconds(10));
  }
}
