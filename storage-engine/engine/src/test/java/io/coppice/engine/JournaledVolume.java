package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// A volume with a journal, and a copy of its content at each of its points.
abstract class JournaledVolume {

  static final int BLOCK = 4096;

  static final int BLOCKS = 1300;

  static final long SIZE = (long) BLOCKS * BLOCK + 512;

  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));

  static final List<JournalTier> TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofMinutes(2)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofMinutes(10)));

  final AtomicReference<Instant> clock = new AtomicReference<>(BEGIN);

  final AtomicLong nanos = new AtomicLong();

  final NavigableMap<Instant, ByteBuffer> expected = new TreeMap<>();

  private int snapshots = 100;

  PoolFixture pool() {
    return PoolFixture.ofBytes(256 << 20).clock(clock::get).nanos(nanos::get).format();
  }

  void pass(Duration time) {
    clock.updateAndGet(now -> now.plus(time));
    nanos.addAndGet(time.toNanos());
  }

  static EngineOptions options(SplittableRandom random) {
    return EngineOptions.defaults()
        .withReaderThreads(2)
        .withMapMemoryBytes(MapMemory.any(random))
        .withCheckpointRecords(20 + random.nextInt(500));
  }

  static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static ByteBuffer content(StorageEngine engine, VolumeId id) {
    Volume volume = engine.open(id);
    ByteBuffer all = ByteBuffer.allocateDirect((int) volume.sizeInBytes());
    Await.io(done -> volume.read(0, all, done));
    return all.flip();
  }

  static void begin(StorageEngine engine) {
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, SIZE));
    engine.journals().keep(OperationId.random(), VOLUME, TIERS);
  }

  void cut(StorageEngine engine) {
    pass(Duration.ofSeconds(5));
    engine.journals().cut(List.of(VOLUME));
    List<Instant> points = engine.journals().points(VOLUME, BEGIN, 10_000);
    expected.keySet().retainAll(points);
    expected.putIfAbsent(points.getLast(), content(engine, VOLUME));
  }

  /// Forgets the points before one of them, which stays.
  void trim(StorageEngine engine, SplittableRandom random) {
    List<Instant> known = new ArrayList<>(expected.keySet());
    Instant first = known.get(random.nextInt(known.size()));
    engine.journals().trim(OperationId.random(), List.of(VOLUME, VolumeId.random()), first);
    assertThat(engine.journals().pointAt(VOLUME, first)).contains(first);
    expected.keySet().retainAll(engine.journals().points(VOLUME, BEGIN, 10_000));
  }

  void compare(StorageEngine engine, Instant point) {
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

  void compareSome(StorageEngine engine, SplittableRandom random, int number) {
    List<Instant> points = new ArrayList<>(expected.keySet());
    for (int i = 0; i < number; i++) {
      compare(engine, points.get(random.nextInt(points.size())));
    }
  }

  void change(StorageEngine engine, SplittableRandom random) {
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

  void snapshot(StorageEngine engine, SplittableRandom random) {
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

  static java.util.function.Consumer<VolumeInfo> engineVolume(StorageEngine engine) {
    return info -> engine.delete(OperationId.random(), info.id());
  }

  /// Every other block, from the end to the begin: the list has a run for each.
  static void scattered(StorageEngine engine, SplittableRandom random) {
    Volume volume = engine.open(VOLUME);
    for (long block = BLOCKS - 2; block >= 0; block -= 2) {
      ByteBuffer bytes = ByteBuffer.wrap(bytes(random, BLOCK));
      long offset = block * BLOCK;
      Await.io(done -> volume.write(offset, bytes, done));
    }
  }
}
