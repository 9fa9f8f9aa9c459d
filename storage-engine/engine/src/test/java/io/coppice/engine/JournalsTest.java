package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Journals of volumes: each point is compared with a copy that was made when it was cut, over
/// writes of all kinds, snapshots, reverts, growth and restarts.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class JournalsTest extends JournaledVolume {

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
        if (round % 15 == 13) {
          trim(engine, random);
        }
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
    // A point of both tiers keeps one block for both.
    assertThat(info.keptBytes() / BLOCK).isBetween(info.points() - 4, info.points());
    engine.awaitReclaim();
    engine.checkpoint();
    assertThat(engine.space().used()).isLessThan(200L * BLOCK);
    compare(engine, points.get(3));
    engine.close();
    pool.whole();
  }

  @Test
  void whatOnlyForgottenPointsNeedIsReclaimed() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    SplittableRandom random = new SplittableRandom(12);
    for (int i = 0; i < 20; i++) {
      scattered(engine, random);
      cut(engine);
    }
    engine.awaitReclaim();
    long full = engine.space().used();
    Instant last = expected.lastKey();

    engine.journals().trim(OperationId.random(), List.of(VOLUME), last);
    engine.awaitReclaim();

    assertThat(engine.journals().points(VOLUME, last, 100)).containsExactly(last);
    assertThat(engine.journals().points(VOLUME, BEGIN, 100)).hasSizeLessThanOrEqualTo(2);
    assertThat(engine.space().used()).isLessThan(full / 4);
    compare(engine, last);
    engine.close();
    pool.whole();
  }

  /// Also what waits for its slot: a few blocks that were written over since the last point.
  @Test
  void whatAnEndedJournalKeptIsReclaimed() {
    for (boolean isDeleted : List.of(false, true)) {
      PoolFixture pool = pool();
      RedirectOnWriteEngine engine = pool.open();
      long empty = engine.space().used();
      begin(engine);
      Volume volume = engine.open(VOLUME);
      volume.write(0, ByteBuffer.wrap(bytes(new SplittableRandom(1), 10 * BLOCK)));
      cut(engine);
      volume.write(0, ByteBuffer.wrap(bytes(new SplittableRandom(2), 10 * BLOCK)));

      engine.journals().end(OperationId.random(), VOLUME);
      if (isDeleted) {
        engine.delete(OperationId.random(), VOLUME);
      }
      engine.awaitReclaim();

      if (isDeleted) {
        assertThat(engine.space().used()).isEqualTo(empty);
      }
      engine.close();
      pool.whole();
    }
  }

  /// Disks of one machine come back as they were at one moment, even if the journal of one began
  /// later: coarse points, too, are made of all of them at one position of the log.
  @Test
  void pointsOfAllVolumesAreMadeAtOnePosition() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    Journals journals = engine.journals();
    begin(engine);
    VolumeId other = new VolumeId(new UUID(0, 2));
    engine.create(OperationId.random(), VolumeSpec.thin(other, SIZE));
    pass(Duration.ofSeconds(33));
    journals.keep(OperationId.random(), other, TIERS);
    Instant begun = clock.get();
    SplittableRandom random = new SplittableRandom(3);
    int made = 0;
    for (int tick = 0; tick < 4 * 900; tick++) {
      pass(Duration.ofMillis(250));
      for (VolumeId id : List.of(VOLUME, other)) {
        Await.io(done -> engine.open(id).write(0, ByteBuffer.wrap(bytes(random, BLOCK)), done));
      }
      made += journals.cutDue().isPresent() ? 1 : 0;
    }

    // A point of the first volume was due before the journal of the other one began.
    assertThat(made).isEqualTo(1 + 180);
    assertThat(journals.cutDue()).isEmpty();
    assertThat(journals.volumes()).containsExactlyInAnyOrder(VOLUME, other);
    List<Instant> points = journals.points(VOLUME, begun.plusMillis(1), 10_000);
    assertThat(journals.points(other, begun.plusMillis(1), 10_000)).isEqualTo(points);
    assertThat(points).hasSizeBetween(32, 36);
    List<Instant> back = new ArrayList<>();
    Instant to = clock.get();
    for (List<Instant> page = journals.pointsBefore(other, to, 7);
        !page.isEmpty();
        page = journals.pointsBefore(other, back.getLast().minusNanos(1), 7)) {
      back.addAll(page);
    }
    assertThat(back.reversed()).isEqualTo(journals.points(other, BEGIN, 10_000));
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
      try {
        compareSome(engine, random, 3);
        if (round % 4 == 3) {
          engine.journals().revert(OperationId.random(), VOLUME, expected.lastKey());
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
    engine.close();
    pool.whole();
  }

  /// The way back to a point before a revert ends within a list that has been stored further.
  @Test
  void aPointBeforeARevertIsFoundAfterLongLists() {
    SplittableRandom random = new SplittableRandom(12);
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    cut(engine);
    for (int i = 0; i < 100; i++) {
      Volume volume = engine.open(VOLUME);
      long block = 7L * i;
      Await.io(done -> volume.write(block * BLOCK, ByteBuffer.wrap(bytes(random, BLOCK)), done));
    }
    cut(engine);
    engine.journals().revert(OperationId.random(), VOLUME, expected.firstKey());
    cut(engine);
    scattered(engine, random);
    cut(engine);
    scattered(engine, random);
    cut(engine);

    expected.keySet().forEach(point -> compare(engine, point));
    engine.close();
    pool.whole();
  }

  /// A copy that a revert comes in between of is right, or refused.
  @Test
  void aCopyDuringARevertIsOfItsPointOrRefused() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(11);
    PoolFixture pool = PoolFixture.ofBytes(512 << 20).clock(clock::get).nanos(nanos::get).format();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine);
    for (int i = 0; i < 6; i++) {
      scattered(engine, random);
      cut(engine);
    }
    List<Instant> points = List.copyOf(expected.keySet());
    AtomicBoolean stop = new AtomicBoolean();
    SplittableRandom own = random.split();
    Thread reverting =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.get()) {
                    Instant point = points.get(own.nextInt(points.size()));
                    engine.journals().revert(OperationId.random(), VOLUME, point);
                    change(engine, own);
                  }
                });
    int right = 0;
    try {
      for (int i = 0; i < 60; i++) {
        try {
          compare(engine, points.get(random.nextInt(points.size())));
          right++;
        } catch (StorageException.Overtaken e) {
          assertThat(e).hasMessageContaining("reverted");
        }
      }
    } finally {
      stop.set(true);
      reverting.join();
    }
    assertThat(right).isPositive();
    engine.close();
    pool.whole();
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
