package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.superblock.SuperblockArea;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Several volumes that go back to their snapshots together.
///
/// Each volume has two blocks of its number in its snapshot. Then it grows, and the second block
/// and one in what is new are written over.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class GroupRevertTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;
  private static final byte LATER = 99;
  private static final OperationId OPERATION = new OperationId(new UUID(9, 9));

  // ---- the feature

  @Test
  void poolHasTheFeatureFromItsFirstGroupRevertOn() {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, 3);
    Map.Entry<VolumeId, VolumeId> one = snapshots.entrySet().iterator().next();
    OperationId single = OperationId.random();
    engine.revert(single, Map.ofEntries(one));
    engine.revert(single, snapshots); // the result of that one, nothing else
    Map<VolumeId, VolumeId> wrong = new LinkedHashMap<>(snapshots);
    wrong.put(volume(2), one.getValue());
    assertThatThrownBy(() -> engine.revert(OperationId.random(), wrong))
        .isInstanceOf(StorageException.Unrelated.class);
    engine.checkpoint();
    assertThat(hasFeature(pool)).isFalse();

    engine.revert(OPERATION, snapshots);
    assertThat(hasFeature(pool)).isTrue();

    engine.close();
    RedirectOnWriteEngine again = pool.whole().open();
    again.checkpoint();
    again.close();
    assertThat(hasFeature(pool.whole())).as("it stays").isTrue();
  }

  @Test
  void fullPoolTakesItsFirstGroupRevert() {
    PoolFixture pool = PoolFixture.ofBytes(16 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, 3);
    VolumeId filler = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(filler, 64 * MIB));
    assertThatThrownBy(
            () -> {
              for (long at = 0; ; at += BLOCK) {
                write(engine, filler, at, (byte) 1);
              }
            })
        .isInstanceOf(StorageException.OutOfSpace.class);

    engine.revert(OPERATION, snapshots);

    assertThat(hasFeature(pool)).isTrue();
    assertThat(reverted(engine, 3)).isEqualTo(3);
    engine.close();
    pool.whole();
  }

  // ---- what the volumes hold

  @ParameterizedTest
  @CsvSource({"3,false", "3,true", "256,false"})
  void volumesHoldWhatTheirSnapshotsHold(int count, boolean mirrored) {
    PoolFixture pool =
        (mirrored ? PoolFixture.mirrored(64 << 20) : PoolFixture.ofBytes(256 << 20)).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, count);
    assertThat(reverted(engine, count)).isZero();

    List<VolumeInfo> infos = engine.revert(OPERATION, snapshots);

    assertThat(infos).extracting(VolumeInfo::id).containsExactlyElementsOf(snapshots.keySet());
    assertThat(reverted(engine, count)).isEqualTo(count);
    engine.abandon();
    engine = pool.whole().open();
    assertThat(reverted(engine, count)).as("replayed").isEqualTo(count);
    write(engine, volume(1), 0, LATER);
    assertThat(engine.revert(OPERATION, snapshots)).as("repeated").isEqualTo(infos);
    assertThat(read(engine, volume(1), 0)).isEqualTo(content(LATER));
    engine.close();
    engine = pool.whole().open();
    assertThat(engine.revert(OPERATION, snapshots)).as("repeated").isEqualTo(infos);
    assertThat(read(engine, volume(1), 0)).isEqualTo(content(LATER));
    for (VolumeInfo info : engine.list()) {
      engine.delete(OperationId.random(), info.id());
    }
    engine.awaitReclaim();
    assertThat(engine.space().used()).isZero();
    engine.close();
    pool.whole();
  }

  /// Once before the pool has the feature, and once when it has it.
  @Test
  void oneWrongPairChangesNothing() {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, 3);
    for (int round = 0; round < 2; round++) {
      List<VolumeInfo> before = engine.list();
      Map<VolumeId, VolumeId> wrong = new LinkedHashMap<>(snapshots);
      wrong.put(VolumeId.random(), snapshot(2));
      assertThatThrownBy(() -> engine.revert(OPERATION, wrong))
          .isInstanceOf(StorageException.NotFound.class);
      assertThat(engine.remembers(OPERATION)).isFalse();
      assertThat(engine.list()).isEqualTo(before);
      for (int number = 1; number <= 3; number++) {
        assertThat(read(engine, volume(number), BLOCK)).isEqualTo(content(LATER));
        write(engine, volume(number), BLOCK, LATER); // nobody holds it any more
      }
      engine.revert(OperationId.random(), snapshots);
      snapshots.keySet().forEach(id -> write(engine, id, BLOCK, LATER));
    }
    engine.close();
    pool.whole();
  }

  @Test
  void volumesOfOneFamilyGoBackTogether() {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    begin(engine, 1);
    engine.clone(
        OperationId.random(), new CloneSpec(snapshot(1), volume(2), false, Map.of("a", "b")));
    snapshot(engine, 2);
    write(engine, volume(2), 0, LATER);
    engine.reserve(OperationId.random(), volume(2), true);

    engine.revert(OPERATION, Map.of(volume(1), snapshot(1), volume(2), snapshot(2)));

    engine.abandon();
    RedirectOnWriteEngine again = pool.whole().open();
    for (int number = 1; number <= 2; number++) {
      assertThat(read(again, volume(number), 0)).isEqualTo(content(1));
      assertThat(read(again, volume(number), BLOCK)).isEqualTo(content(1));
      assertThat(again.bases()).containsEntry(volume(number), snapshot(number));
    }
    VolumeInfo second = again.find(volume(2)).orElseThrow();
    assertThat(second.reserved()).isTrue();
    assertThat(second.attributes()).isEqualTo(Map.of("a", "b"));
    again.close();
    pool.whole();
  }

  @Test
  void volumesWithJournalsGetPointsOfOneMoment() {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, 3);
    keep(engine, 1, 5, 60);
    keep(engine, 2, 5);
    engine.revert(OperationId.random(), volume(1), snapshot(1)); // its clock is ahead
    write(engine, volume(1), BLOCK, LATER);

    engine.revert(OPERATION, snapshots);

    engine.abandon();
    RedirectOnWriteEngine again = pool.whole().open();
    assertThat(points(again, 1)).hasSize(5);
    assertThat(points(again, 2)).hasSize(3);
    assertThat(again.journals().find(volume(3))).isEmpty();
    List<Instant> made = points(again, 1).subList(3, 5);
    assertThat(points(again, 2).subList(1, 3)).isEqualTo(made);
    assertThat(made.getLast()).isEqualTo(made.getFirst().plusMillis(1));
    again
        .journals()
        .revert(
            OperationId.random(), Map.of(volume(1), made.getFirst(), volume(2), made.getFirst()));
    for (int number = 1; number <= 2; number++) {
      assertThat(read(again, volume(number), BLOCK)).as("undone").isEqualTo(content(LATER));
    }
    assertThat(again.find(volume(2)).orElseThrow().sizeInBytes()).isEqualTo(grown(2));
    again.close();
    pool.whole();
  }

  // ---- crashes

  /// The power goes after each operation of the device in turn, from the call on to its answer: all
  /// volumes are back or none, with the points of their journals, and never without the feature.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noCrashLeavesSomeOfTheVolumesBack(boolean hasFeature) {
    int none = 0;
    int featureAlone = 0;
    PoolFixture begun = begun(5, hasFeature);
    boolean acknowledged = false;
    for (int operations = 1; !acknowledged; operations++) {
      for (int crash = 0; crash < 4; crash++) {
        SplittableRandom random = new SplittableRandom(10 * operations + crash);
        PoolFixture pool = begun.afterCrash(random);
        RedirectOnWriteEngine engine = pool.open(options(random));
        pool.device().losePowerAfter(operations);
        acknowledged = reverts(engine, 5);
        engine.abandon();
        PoolFixture found = pool.afterCrash(random).whole();
        boolean feature = hasFeature(found);
        RedirectOnWriteEngine again = found.open(options(random));
        int back = reverted(again, 5);
        assertThat(back).as("cut off after %d", operations).isIn(acknowledged ? 5 : 0, 5);
        assertThat(points(again, 2)).hasSize(back == 0 ? 1 : 3);
        assertThat(points(again, 4)).isEqualTo(points(again, 2));
        assertThat(feature || back == 0).as("cut off after %d", operations).isTrue();
        none += back == 0 ? 1 : 0;
        featureAlone += feature && back == 0 ? 1 : 0;
        assertThat(reverts(again, 5)).isTrue();
        assertThat(reverted(again, 5)).as("repeated").isEqualTo(5);
        assertThat(points(again, 2)).hasSize(3);
        again.close();
        found.whole();
      }
    }
    assertThat(none - featureAlone).as("cuts before the feature").matches(n -> n > 0 != hasFeature);
    assertThat(featureAlone).as("cuts between the feature and the record").isPositive();
  }

  /// The record of as many as there may be takes several blocks.
  @Test
  void noCrashLeavesSomeOfManyVolumesBack() {
    int count = StorageEngine.MAX_GROUP;
    PoolFixture begun = begun(count, true);
    int none = 0;
    int all = 0;
    for (int operations = 1; operations < 5; operations++) {
      for (int crash = 0; crash < 5; crash++) {
        SplittableRandom random = new SplittableRandom(100 * operations + crash);
        PoolFixture pool = begun.afterCrash(random);
        RedirectOnWriteEngine engine = pool.open();
        pool.device().losePowerAfter(operations);
        boolean acknowledged = reverts(engine, count);
        engine.abandon();
        PoolFixture found = pool.afterCrash(random).whole();
        try (RedirectOnWriteEngine again = found.open()) {
          int back = reverted(again, count);
          assertThat(back).isIn(acknowledged ? count : 0, count);
          none += back == 0 ? 1 : 0;
          all += back > 0 ? 1 : 0;
        }
      }
    }
    assertThat(none).as("cuts before the end of the record").isPositive();
    assertThat(all).as("cuts behind it").isPositive();
  }

  private static PoolFixture begun(int count, boolean hasFeature) {
    PoolFixture pool = PoolFixture.ofBytes(256 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    if (hasFeature) {
      Map<VolumeId, VolumeId> others = new TreeMap<>();
      for (int number = 1001; number <= 1002; number++) {
        create(engine, number);
        others.put(volume(number), snapshot(number));
      }
      engine.revert(OperationId.random(), others);
    }
    begin(engine, count);
    keep(engine, 2, 5);
    keep(engine, 4, 5);
    engine.close();
    assertThat(hasFeature(pool)).isEqualTo(hasFeature);
    return pool;
  }

  private static EngineOptions options(SplittableRandom random) {
    return EngineOptions.defaults()
        .withReaderThreads(1)
        .withCheckpointRecords(random.nextBoolean() ? 1 : 1000);
  }

  private static boolean reverts(RedirectOnWriteEngine engine, int count) {
    try {
      engine.revert(OPERATION, snapshots(count));
      return true;
    } catch (StorageException.DeviceFailed e) {
      return false;
    }
  }

  // ---- others meanwhile

  /// One thread writes to all volumes, and two revert them, each in another order: none of them
  /// waits for ever. A block is what the snapshot holds, or what was written after the revert.
  @Test
  void writersAndOtherRevertsGoOn() throws Exception {
    PoolFixture pool = PoolFixture.ofBytes(256 << 20).format();
    RedirectOnWriteEngine engine = pool.open();
    Map<VolumeId, VolumeId> snapshots = begin(engine, 4);
    Map<VolumeId, VolumeId> backwards = new LinkedHashMap<>();
    List.copyOf(snapshots.keySet()).reversed().forEach(id -> backwards.put(id, snapshots.get(id)));
    AtomicBoolean stopping = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> ends = new ArrayList<>();
      ends.add(
          threads.submit(
              () -> {
                List<Volume> volumes = snapshots.keySet().stream().map(engine::open).toList();
                while (!stopping.get()) {
                  for (Volume volume : volumes) {
                    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).put(content(LATER)).flip();
                    Await.io(done -> volume.write(0, bytes, done));
                  }
                }
              }));
      for (Map<VolumeId, VolumeId> each : List.of(snapshots, backwards)) {
        ends.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    engine.revert(OperationId.random(), each);
                  }
                }));
      }
      ends.get(1).get(60, TimeUnit.SECONDS);
      ends.get(2).get(60, TimeUnit.SECONDS);
      stopping.set(true);
      ends.getFirst().get(60, TimeUnit.SECONDS);
    }
    for (int number = 1; number <= 4; number++) {
      assertThat(read(engine, volume(number), 0)).isIn(content(number), content(LATER));
      assertThat(read(engine, volume(number), BLOCK)).isEqualTo(content(number));
    }
    engine.close();
    pool.whole();
  }

  // ---- steps

  private static VolumeId volume(int number) {
    return new VolumeId(new UUID(0, number));
  }

  private static VolumeId snapshot(int number) {
    return new VolumeId(new UUID(1, number));
  }

  /// In an order of its own.
  private static Map<VolumeId, VolumeId> snapshots(int count) {
    Map<VolumeId, VolumeId> snapshots = new LinkedHashMap<>();
    for (int number = count; number >= 1; number--) {
      snapshots.put(volume(number), snapshot(number));
    }
    return snapshots;
  }

  private static long size(int number) {
    return MIB + (long) BLOCK * (number % 7);
  }

  private static long grown(int number) {
    return size(number) + MIB;
  }

  private static Map<VolumeId, VolumeId> begin(RedirectOnWriteEngine engine, int count) {
    for (int number = 1; number <= count; number++) {
      create(engine, number);
      write(engine, volume(number), BLOCK, LATER);
      engine.resize(OperationId.random(), volume(number), grown(number));
      write(engine, volume(number), grown(number) - BLOCK, LATER);
    }
    return snapshots(count);
  }

  private static void create(RedirectOnWriteEngine engine, int number) {
    engine.create(OperationId.random(), VolumeSpec.thin(volume(number), size(number)));
    write(engine, volume(number), 0, (byte) number);
    write(engine, volume(number), BLOCK, (byte) number);
    snapshot(engine, number);
  }

  private static void snapshot(RedirectOnWriteEngine engine, int number) {
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(volume(number), snapshot(number), Map.of())),
        Duration.ofSeconds(30));
  }

  private static void keep(RedirectOnWriteEngine engine, int number, int... seconds) {
    List<JournalTier> tiers =
        Arrays.stream(seconds)
            .mapToObj(every -> new JournalTier(Duration.ofSeconds(every), Duration.ofHours(1)))
            .toList();
    engine.journals().keep(OperationId.random(), volume(number), tiers);
  }

  private static List<Instant> points(RedirectOnWriteEngine engine, int number) {
    return engine.journals().points(volume(number), Instant.EPOCH, 100);
  }

  /// How many of the volumes are what their snapshots are. The others must be as they were.
  private static int reverted(RedirectOnWriteEngine engine, int count) {
    int reverted = 0;
    for (int number = 1; number <= count; number++) {
      VolumeId id = volume(number);
      long size = engine.find(id).orElseThrow().sizeInBytes();
      boolean back = size == size(number);
      reverted += back ? 1 : 0;
      assertThat(size).isEqualTo(back ? size(number) : grown(number));
      assertThat(read(engine, id, 0)).isEqualTo(content(number));
      assertThat(read(engine, id, BLOCK)).isEqualTo(content(back ? number : LATER));
      assertThat(read(engine, snapshot(number), BLOCK)).isEqualTo(content(number));
      if (!back) {
        assertThat(read(engine, id, size - BLOCK)).isEqualTo(content(LATER));
      }
    }
    return reverted;
  }

  private static byte[] content(int number) {
    byte[] content = new byte[BLOCK];
    Arrays.fill(content, (byte) number);
    return content;
  }

  private static void write(RedirectOnWriteEngine engine, VolumeId id, long offset, byte number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).put(content(number)).flip();
    Await.io(done -> engine.open(id).write(offset, bytes, done));
  }

  private static byte[] read(RedirectOnWriteEngine engine, VolumeId id, long offset) {
    ByteBuffer into = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(id).read(offset, into, done));
    byte[] bytes = new byte[BLOCK];
    into.flip().get(bytes);
    return bytes;
  }

  private static boolean hasFeature(PoolFixture pool) {
    return (SuperblockArea.read(pool.device()).require().features().incompatible()
            & Superblock.GROUP_REVERTS)
        != 0;
  }
}
