package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Journals of volumes over power losses, with long lists, and in a full pool.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class JournalsCrashTest extends JournaledVolume {

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
      if (crash % 2 == 1) {
        trim(engine, random);
      }
      engine.abandon();
      pool = pool.afterCrash(random).whole();
      engine = pool.open(options(random));
      assertThat(engine.journals().points(VOLUME, BEGIN, 1000)).containsAll(expected.keySet());
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

  /// The disks of a machine come back together: after a power loss at any moment of a revert, all
  /// of them hold what they held, or all what they held at the point.
  @Test
  void aRevertOfSeveralVolumesIsWholeOrNotAtAll() {
    List<VolumeId> all = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      all.add(new VolumeId(new UUID(0, i)));
    }
    int[] reverted = new int[2];
    for (int operations = 1; operations < 90; operations += 4) {
      SplittableRandom random = new SplittableRandom(operations);
      PoolFixture pool = pool();
      RedirectOnWriteEngine engine = pool.open(options(random));
      Map<VolumeId, ByteBuffer> then = new HashMap<>();
      Map<VolumeId, Instant> points = new HashMap<>();
      for (VolumeId id : all) {
        engine.create(OperationId.random(), VolumeSpec.thin(id, 64 * BLOCK));
        engine.open(id).write(0, ByteBuffer.wrap(bytes(random, 64 * BLOCK)));
        engine.journals().keep(OperationId.random(), id, TIERS);
        points.put(id, engine.journals().points(id, BEGIN, 1).getFirst());
        then.put(id, content(engine, id));
      }
      Map<VolumeId, ByteBuffer> now = new HashMap<>();
      for (VolumeId id : all) {
        for (int block = 0; block < 64; block += 3) {
          engine.open(id).write((long) block * BLOCK, ByteBuffer.wrap(bytes(random, BLOCK)));
        }
        now.put(id, content(engine, id));
      }
      pool.device().losePowerAfter(operations);
      boolean isDone = true;
      try {
        engine.journals().revert(OperationId.random(), points);
      } catch (StorageException.DeviceFailed e) {
        isDone = false;
      }
      engine.abandon();
      pool = pool.afterCrash(random).whole();
      engine = pool.open(options(random));
      boolean isReverted = content(engine, VOLUME).equals(then.get(VOLUME));
      assertThat(isReverted || !isDone).as("an acknowledged revert").isTrue();
      for (VolumeId id : all) {
        assertThat(content(engine, id)).isEqualTo((isReverted ? then : now).get(id));
      }
      reverted[isReverted ? 1 : 0]++;
      engine.close();
      pool.whole();
    }
    assertThat(reverted).as("not reverted, and reverted").doesNotContain(0);
  }

  /// Tiers come, go, and keep their points longer or shorter, while others reference their slots.
  @Test
  void pointsOutliveTheTiersThatHaveTheirSlots() {
    List<JournalTier> some =
        List.of(
            tier(5, 120), tier(5, 900), tier(10, 300), tier(60, 60), tier(60, 600), tier(15, 1200));
    for (long seed = 1; seed <= 3; seed++) {
      expected.clear();
      SplittableRandom random = new SplittableRandom(seed);
      PoolFixture pool = pool();
      RedirectOnWriteEngine engine = pool.open(options(random));
      begin(engine);
      cut(engine);
      for (int round = 0; round < 80; round++) {
        for (int i = random.nextInt(4); i > 0; i--) {
          change(engine, random);
        }
        if (random.nextInt(6) == 0) {
          Map<Duration, JournalTier> tiers = new HashMap<>();
          for (int i = random.nextInt(1, 5); i > 0; i--) {
            JournalTier one = some.get(random.nextInt(some.size()));
            tiers.put(one.every(), one);
          }
          engine.journals().keep(OperationId.random(), VOLUME, List.copyOf(tiers.values()));
        }
        cut(engine);
        if (round % 16 == 11) {
          trim(engine, random);
        }
        if (round % 10 == 9) {
          compareSome(engine, random, 2);
          engine.abandon();
          pool = pool.afterCrash(random).whole();
          engine = pool.open(options(random));
        }
      }
      for (Instant point : List.copyOf(expected.keySet())) {
        compare(engine, point);
      }
      engine.journals().end(OperationId.random(), VOLUME);
      engine.list().forEach(engineVolume(engine));
      engine.awaitReclaim();
      assertThat(engine.space().used()).isZero();
      engine.close();
      pool.whole();
    }
  }

  private static JournalTier tier(int everySeconds, int keepSeconds) {
    return new JournalTier(Duration.ofSeconds(everySeconds), Duration.ofSeconds(keepSeconds));
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

  /// A pool that journals have filled refuses writes, loses nothing, and goes on when points are
  /// forgotten, or one ends.
  @Test
  void aPoolFilledByAJournalRefusesWritesUntilItIsShorter() {
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

    expected.headMap(expected.lastKey()).clear();
    engine.journals().trim(OperationId.random(), List.of(VOLUME), expected.lastKey());
    engine.awaitReclaim();
    assertThat(isScatteredWritten(engine, random)).isTrue();
    compare(engine, expected.lastKey());
    engine.journals().end(OperationId.random(), VOLUME);
    engine.awaitReclaim();
    assertThat(isScatteredWritten(engine, random)).isTrue();
    assertThat(isScatteredWritten(engine, random)).isTrue();
    engine.close();
    pool.whole();
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

  private static boolean isScatteredWritten(StorageEngine engine, SplittableRandom random) {
    try {
      scattered(engine, random);
      return true;
    } catch (StorageException.OutOfSpace e) {
      return false;
    }
  }
}
