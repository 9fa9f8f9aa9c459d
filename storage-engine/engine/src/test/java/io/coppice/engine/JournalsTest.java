package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Journals of volumes: each point is compared with a copy that was made when it was cut, over
/// writes of all kinds, snapshots, reverts, growth, restarts and power losses.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class JournalsTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1300;
  private static final long SIZE = (long) BLOCKS * BLOCK + 512;
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));
  private static final List<JournalTier> TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofMinutes(2)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofMinutes(10)));

  private final AtomicReference<Instant> clock = new AtomicReference<>(BEGIN);
  private final AtomicLong nanos = new AtomicLong();
  private final NavigableMap<Instant, ByteBuffer> expected = new TreeMap<>();
  private int snapshots = 100;

  private PoolFixture pool() {
    return PoolFixture.ofBytes(256 << 20).clock(clock::get).nanos(nanos::get).format();
  }

  private void pass(Duration time) {
    clock.updateAndGet(now -> now.plus(time));
    nanos.addAndGet(time.toNanos());
  }

  private static EngineOptions options(SplittableRandom random) {
    return EngineOptions.defaults()
        .withReaderThreads(2)
        .withMapMemoryBytes(MapMemory.any(random))
        .withCheckpointRecords(20 + random.nextInt(500));
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer content(StorageEngine engine, VolumeId id) {
    Volume volume = engine.open(id);
    ByteBuffer all = ByteBuffer.allocateDirect((int) volume.sizeInBytes());
    Await.io(done -> volume.read(0, all, done));
    return all.flip();
  }

  private static void begin(StorageEngine engine) {
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, SIZE));
    engine.journals().keep(OperationId.random(), VOLUME, TIERS);
  }

  private void cut(StorageEngine engine) {
    pass(Duration.ofSeconds(5));
    engine.journals().cut(List.of(VOLUME));
    List<Instant> points = engine.journals().points(VOLUME, BEGIN, 10_000);
    expected.keySet().retainAll(points);
    expected.putIfAbsent(points.getLast(), content(engine, VOLUME));
  }

  private void compare(StorageEngine engine, Instant point) {
    VolumeId copy = VolumeId.random();
    engine
        .journals()
        .clone(OperationId.random(), new CloneSpec(VOLUME, copy, false, Map.of()), point);
    ByteBuffer then = expected.get(point);
    ByteBuffer found = content(engine, copy);
    assertThat(found.limit()).as("size").isGreaterThanOrEqualTo(then.limit());
    for (int at = 0; at < then.limit(); at += BLOCK) {
      int length = Math.min(BLOCK, then.limit() - at);
      assertThat(found.slice(at, length).mismatch(then.slice(at, length)))
          .as("block %d at %s of %s", at / BLOCK, point, expected.keySet())
          .isEqualTo(-1);
    }
    engine.delete(OperationId.random(), copy);
  }

  private void compareSome(StorageEngine engine, SplittableRandom random, int number) {
    List<Instant> points = new ArrayList<>(expected.keySet());
    for (int i = 0; i < number; i++) {
      compare(engine, points.get(random.nextInt(points.size())));
    }
  }

  private void change(StorageEngine engine, SplittableRandom random) {
    Volume volume = engine.open(VOLUME);
    long first = random.nextInt(BLOCKS);
    int blocks =
        (int) Math.min(BLOCKS - first, 1 + random.nextInt(random.nextInt(4) == 0 ? 700 : 3));
    long offset = first * BLOCK;
    long length = (long) blocks * BLOCK;
    switch (random.nextInt(8)) {
      case 0 -> Await.io(done -> volume.unmap(offset, length, done));
      case 1 -> {
        ByteBuffer same = ByteBuffer.wrap(bytes(random, 512));
        Await.io(done -> volume.writeSame(offset, length, same, done));
      }
      case 2 -> {
        byte[] ragged = bytes(random, 512 * (1 + random.nextInt(20)));
        long at = 512L * random.nextInt((int) (SIZE / 512) - 20);
        Await.io(done -> volume.write(at, ByteBuffer.wrap(ragged), done));
      }
      case 3 -> snapshot(engine, random);
      default ->
          Await.io(
              done -> volume.write(offset, ByteBuffer.wrap(bytes(random, (int) length)), done));
    }
  }

  private void snapshot(StorageEngine engine, SplittableRandom random) {
    List<VolumeInfo> known =
        engine.list().stream().filter(info -> info.kind() == VolumeKind.SNAPSHOT).toList();
    if (known.size() > 3) {
      engine.delete(OperationId.random(), known.get(random.nextInt(known.size())).id());
    } else {
      VolumeId id = new VolumeId(new UUID(1, snapshots++));
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(VOLUME, id, Map.of())),
          Duration.ofSeconds(10));
    }
  }

  @Test
  void everyPointIsWhatTheVolumeWas() {
    for (long seed = 1; seed <= 2; seed++) {
      expected.clear();
      SplittableRandom random = new SplittableRandom(seed);
      PoolFixture pool = pool();
      RedirectOnWriteEngine engine = pool.open(options(random));
      begin(engine);
      cut(engine);
      for (int round = 0; round < 60; round++) {
        for (int i = random.nextInt(8); i > 0; i--) {
          change(engine, random);
        }
        cut(engine);
        if (round % 20 == 19) {
          compareSome(engine, random, 5);
          engine.close();
          pool.whole();
          engine = pool.open(options(random));
        }
      }
      for (Instant point : List.copyOf(expected.keySet())) {
        compare(engine, point);
      }
      engine.close();
      pool.whole();
    }
  }

  @Test
  void pointsSurviveAPowerLoss() {
    SplittableRandom random = new SplittableRandom(4);
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open(options(random));
    begin(engine);
    cut(engine);
    for (int crash = 0; crash < 6; crash++) {
      for (int round = 0; round < 4; round++) {
        for (int i = random.nextInt(6); i > 0; i--) {
          change(engine, random);
        }
        cut(engine);
      }
      engine.abandon();
      pool = pool.afterCrash(random).whole();
      engine = pool.open(options(random));
      compareSome(engine, random, 3);
    }
    engine.close();
    pool.whole();
  }

  /// The device fails in the middle of whatever is under way: writes, cuts, copies, a revert.
  @Test
  void acknowledgedPointsSurviveAPowerLossAtAnyMoment() {
    int[] done = new int[2];
    for (int operations = 1; operations < 130; operations += 6) {
      SplittableRandom random = new SplittableRandom(operations);
      expected.clear();
      PoolFixture pool = pool();
      RedirectOnWriteEngine engine =
          pool.open(
              operations % 2 == 0 ? options(random).withCheckpointRecords(1) : options(random));
      begin(engine);
      change(engine, random);
      cut(engine);
      change(engine, random);
      cut(engine);
      pool.device().losePowerAfter(operations);
      done[isWholeScriptDone(engine, random) ? 1 : 0]++;
      engine.abandon();
      pool = pool.afterCrash(random).whole();

      engine = pool.open(options(random));
      assertThat(engine.journals().points(VOLUME, BEGIN, 1000)).containsAll(expected.keySet());
      for (Instant point : List.copyOf(expected.keySet())) {
        compare(engine, point);
      }
      change(engine, random);
      cut(engine);
      change(engine, random);
      compareSome(engine, random, 3);
      List<VolumeInfo> all = engine.list();
      for (VolumeInfo info : all) {
        engine.delete(OperationId.random(), info.id());
      }
      engine.awaitReclaim();
      assertThat(engine.space().used()).isZero();
      engine.close();
      pool.whole();
    }
    assertThat(done).as("scripts cut off, and not").doesNotContain(0);
  }

  private boolean isWholeScriptDone(StorageEngine engine, SplittableRandom random) {
    try {
      for (int i = 0; i < 4; i++) {
        change(engine, random);
        change(engine, random);
        cut(engine);
      }
      List<Instant> points = new ArrayList<>(expected.keySet());
      Instant target = points.get(random.nextInt(points.size()));
      engine
          .journals()
          .clone(
              OperationId.random(),
              new CloneSpec(VOLUME, VolumeId.random(), false, Map.of()),
              target);
      engine.journals().revert(OperationId.random(), VOLUME, target);
      change(engine, random);
      cut(engine);
      return true;
    } catch (StorageException.DeviceFailed e) {
      return false;
    }
  }

  @Test
  void aRevertKeepsThePointsBeforeIt() {
    SplittableRandom random = new SplittableRandom(5);
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open(options(random));
    begin(engine);
    cut(engine);
    for (int round = 0; round < 20; round++) {
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        change(engine, random);
      }
      cut(engine);
      if (round % 4 == 3) {
        List<Instant> points = new ArrayList<>(expected.keySet());
        Instant target = points.get(random.nextInt(points.size()));
        change(engine, random);
        ByteBuffer lost = content(engine, VOLUME);
        engine.journals().revert(OperationId.random(), VOLUME, target);
        assertThat(content(engine, VOLUME)).isEqualTo(expected.get(target));
        List<Instant> now = engine.journals().points(VOLUME, BEGIN, 10_000);
        Instant undo = now.get(now.size() - 2);
        expected.put(undo, lost);
        expected.put(now.getLast(), content(engine, VOLUME));
        compareSome(engine, random, 4);
        compare(engine, undo);
      }
    }
    engine.close();
    pool.whole();
    engine = pool.open();
    compareSome(engine, random, 5);
    engine.delete(OperationId.random(), VOLUME);
    engine.list().forEach(engineVolume(engine));
    engine.awaitReclaim();
    assertThat(engine.space().used()).isZero();
    engine.close();
    pool.whole();
  }

  private static java.util.function.Consumer<VolumeInfo> engineVolume(StorageEngine engine) {
    return info -> engine.delete(OperationId.random(), info.id());
  }

  @Test
  void pointsAreForgottenByTheirAge() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 400; i++) {
      Await.io(done -> engine.open(VOLUME).write(0, ByteBuffer.wrap(bytes(random, BLOCK)), done));
      cut(engine);
    }

    JournalInfo info = engine.journals().find(VOLUME).orElseThrow();
    List<Instant> points = engine.journals().points(VOLUME, BEGIN, 10_000);
    Instant now = clock.get();
    assertThat(points.getLast()).isEqualTo(now);
    assertThat(points.getFirst()).isBeforeOrEqualTo(now.minus(Duration.ofMinutes(10)));
    assertThat(points.getFirst()).isAfter(now.minus(Duration.ofMinutes(12)));
    assertThat(points.stream().filter(each -> each.isAfter(now.minus(Duration.ofMinutes(2)))))
        .hasSize(24);
    assertThat(points.size()).isBetween(32, 36);
    assertThat(info.points()).isGreaterThanOrEqualTo(points.size());
    assertThat(info.keptBytes() / BLOCK).isBetween(info.points() - 2, info.points());
    engine.awaitReclaim();
    engine.checkpoint();
    assertThat(engine.space().used()).isLessThan(200L * BLOCK);
    compare(engine, points.get(3));
    engine.close();
    pool.whole();
  }

  /// A copy is made from what the volume holds when it begins, whatever is written meanwhile.
  @Test
  void aCopyIsOfItsPointWhileTheVolumeIsWritten() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(9);
    PoolFixture pool = PoolFixture.ofBytes(512 << 20).clock(clock::get).nanos(nanos::get).format();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    scattered(engine, random);
    for (int round = 0; round < 12; round++) {
      cut(engine);
      AtomicBoolean stop = new AtomicBoolean();
      SplittableRandom own = random.split();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!stop.get()) {
                      change(engine, own);
                    }
                  });
      compareSome(engine, random, 3);
      if (round % 4 == 3) {
        engine.journals().revert(OperationId.random(), VOLUME, expected.lastKey());
      }
      stop.set(true);
      writer.join();
    }
    engine.close();
    pool.whole();
  }

  /// Long lists go into the hidden volume, so the end of a list is in memory and its begin is not.
  @Test
  void listsThatHaveBeenStoredLeadBack() {
    SplittableRandom random = new SplittableRandom(8);
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open(options(random).withCheckpointRecords(5000));
    begin(engine);
    cut(engine);
    for (int round = 0; round < 8; round++) {
      scattered(engine, random);
      cut(engine);
      if (round == 2) {
        engine.close();
        pool.whole();
        engine = pool.open(options(random));
      } else if (round == 5) {
        scattered(engine, random);
        engine.abandon();
        pool = pool.afterCrash(random).whole();
        engine = pool.open(options(random));
      }
    }
    long memory = engine.journals().find(VOLUME).orElseThrow().memoryBytes();
    assertThat(memory).as("bytes in memory").isLessThan(60_000);
    for (Instant point : List.copyOf(expected.keySet())) {
      compare(engine, point);
    }
    pass(Duration.ofMinutes(20));
    scattered(engine, random);
    cut(engine);
    pass(Duration.ofMinutes(20));
    scattered(engine, random);
    cut(engine);
    compareSome(engine, random, 2);
    engine.close();
    pool.whole();
  }

  /// Every other block, from the end to the begin: the list has a run for each.
  private static void scattered(StorageEngine engine, SplittableRandom random) {
    Volume volume = engine.open(VOLUME);
    for (long block = BLOCKS - 2; block >= 0; block -= 2) {
      ByteBuffer bytes = ByteBuffer.wrap(bytes(random, BLOCK));
      long offset = block * BLOCK;
      Await.io(done -> volume.write(offset, bytes, done));
    }
  }

  /// A pool that journals have filled refuses writes, loses nothing, and goes on when one ends.
  @Test
  void aPoolFilledByAJournalRefusesWritesUntilItEnds() {
    SplittableRandom random = new SplittableRandom(10);
    PoolFixture pool = PoolFixture.ofBytes(48 << 20).clock(clock::get).nanos(nanos::get).format();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    boolean full = false;
    for (int round = 0; round < 100 && !full; round++) {
      cut(engine);
      full = !isScatteredWritten(engine, random);
    }
    assertThat(full).isTrue();
    ByteBuffer present = content(engine, VOLUME);
    engine.close();
    pool.whole();
    engine = pool.open();
    assertThat(content(engine, VOLUME)).isEqualTo(present);
    assertThat(isScatteredWritten(engine, random)).isFalse();

    engine.journals().end(OperationId.random(), VOLUME);
    engine.awaitReclaim();
    assertThat(isScatteredWritten(engine, random)).isTrue();
    assertThat(isScatteredWritten(engine, random)).isTrue();
    engine.close();
    pool.whole();
  }

  private static boolean isScatteredWritten(StorageEngine engine, SplittableRandom random) {
    try {
      scattered(engine, random);
      return true;
    } catch (StorageException.OutOfSpace e) {
      return false;
    }
  }

  @Test
  void requestsThatCannotBeAreRefused() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    VolumeId other = new VolumeId(new UUID(0, 9));
    engine.create(OperationId.random(), new VolumeSpec(other, 1 << 20, true, Map.of()));

    assertThatThrownBy(() -> engine.journals().keep(OperationId.random(), other, TIERS))
        .isInstanceOf(StorageException.InvalidRequest.class)
        .hasMessageContaining("reserved");
    assertThatThrownBy(() -> engine.reserve(OperationId.random(), VOLUME, true))
        .isInstanceOf(StorageException.InvalidRequest.class)
        .hasMessageContaining("journal");
    assertThatThrownBy(() -> engine.journals().keep(OperationId.random(), VOLUME, List.of()))
        .isInstanceOf(StorageException.InvalidRequest.class);
    assertThatThrownBy(() -> engine.journals().points(other, BEGIN, 10))
        .isInstanceOf(StorageException.NotFound.class);
    assertThatThrownBy(
            () ->
                engine
                    .journals()
                    .clone(
                        OperationId.random(),
                        new CloneSpec(VOLUME, VolumeId.random(), false, Map.of()),
                        BEGIN.minusSeconds(5)))
        .isInstanceOf(StorageException.NotFound.class);
    assertThat(engine.list()).hasSize(2);
    engine.journals().end(OperationId.random(), VOLUME);
    assertThat(engine.journals().find(VOLUME)).isEmpty();
    engine.close();
    pool.whole();
  }
}
