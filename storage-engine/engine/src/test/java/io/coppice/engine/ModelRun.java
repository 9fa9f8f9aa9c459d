package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One seed: each operation goes to the engine and to the model, and must end in the same way.
final class ModelRun {

  private static final int MAX_VOLUMES = 8;
  private static final int MAX_SECTORS = 6144;
  private static final int STEPS_PER_OPENING = 500;

  private final SplittableRandom random;
  private final PoolFixture pool = PoolFixture.ofBytes(512 << 20);
  private final MemoryEngine model = new MemoryEngine(1L << 40, PoolFixture.CLOCK);
  private StorageEngine engine;
  private int step;
  private String doing = "opening";
  private @Nullable Function<StorageEngine, Object> lastChange;

  ModelRun(long seed) {
    random = new SplittableRandom(seed);
    pool.named(new UUID(random.nextLong(), random.nextLong())).format();
    engine = open();
  }

  int step() {
    return step;
  }

  /// The operation under way, in words.
  String doing() {
    return doing;
  }

  void run(int steps) {
    for (step = 1; step <= steps; step++) {
      oneStep();
      if (random.nextInt(STEPS_PER_OPENING) == 0) {
        compareAll();
        engine.close();
        pool.whole();
        engine = open();
        compareAll();
      }
    }
    compareAll();
    engine.close();
    pool.whole();
  }

  private StorageEngine open() {
    return pool.open(
        EngineOptions.defaults()
            .withReaderThreads(2)
            .withMapMemoryBytes(MapMemory.any(random))
            .withCheckpointRecords(50 + random.nextInt(500)));
  }

  private void oneStep() {
    List<VolumeInfo> volumes = model.list();
    int dice = random.nextInt(100);
    if (volumes.isEmpty() || dice < 3) {
      create(volumes);
      return;
    }
    VolumeInfo volume = volumes.get(random.nextInt(volumes.size()));
    if (dice < 55) {
      change(volume, volumes);
    } else if (dice < 75) {
      look(volume, volumes);
    } else {
      changeVolumes(volume, volumes, dice);
    }
  }

  // --- both, and compared
  // ---------------------------------------------------------------------------

  /// Does it to both. An engine out of space has changed nothing, and gets rid of a volume.
  private void both(String words, Function<StorageEngine, Object> operation) {
    doing = words;
    Object real = outcome(engine, operation);
    if (real instanceof StorageException.OutOfSpace) {
      List<VolumeInfo> volumes = model.list();
      VolumeId victim = volumes.get(random.nextInt(volumes.size())).id();
      OperationId id = newOperation();
      engine.delete(id, victim);
      model.delete(id, victim);
      return;
    }
    Object expected = outcome(model, operation);
    if (expected instanceof StorageException) {
      // Which one, where several apply, is nobody's promise.
      assertThat(real).as("what it ends with").isInstanceOf(StorageException.class);
    } else {
      assertThat(real).as("what it ends with").isEqualTo(expected);
    }
  }

  private static Object outcome(StorageEngine engine, Function<StorageEngine, Object> operation) {
    try {
      return operation.apply(engine);
    } catch (StorageException e) {
      return e;
    }
  }

  /// As [#both], and remembered for a repeat.
  private void changing(String words, Function<StorageEngine, Object> operation) {
    lastChange = operation;
    both(words, operation);
  }

  private void compareAll() {
    doing = "comparing everything";
    assertThat(engine.list()).isEqualTo(model.list());
    assertThat(engine.records().withPrefix("")).isEqualTo(model.records().withPrefix(""));
    for (VolumeInfo volume : model.list()) {
      ByteBuffer expected = read(model, volume.id(), 0, (int) volume.sizeInBytes());
      ByteBuffer found = read(engine, volume.id(), 0, (int) volume.sizeInBytes());
      int mismatch = expected.mismatch(found);
      assertThat(mismatch).as("first wrong byte of %s", volume).isEqualTo(-1);
      assertThat(engine.spaceOf(volume.id()).mapped())
          .isEqualTo(model.spaceOf(volume.id()).mapped());
    }
  }

  // --- volumes
  // --------------------------------------------------------------------------------------

  private void create(List<VolumeInfo> volumes) {
    if (volumes.size() >= MAX_VOLUMES) {
      return;
    }
    OperationId id = newOperation();
    VolumeSpec spec = VolumeSpec.thin(newId(), size());
    changing("create " + spec, e -> e.create(id, spec));
  }

  private void changeVolumes(VolumeInfo volume, List<VolumeInfo> volumes, int dice) {
    OperationId id = newOperation();
    VolumeInfo other = volumes.get(random.nextInt(volumes.size()));
    if (dice < 80) {
      snapshot(id, volume, other, volumes.size());
    } else if (dice < 83 && volumes.size() < MAX_VOLUMES) {
      CloneSpec spec = new CloneSpec(volume.id(), newId(), false, Map.of("from", "clone"));
      changing("clone " + spec, e -> e.clone(id, spec));
    } else if (dice < 86) {
      revert(id, volume, other, volumes);
    } else if (dice < 90) {
      changing("delete " + volume, e -> deleted(e, id, volume.id()));
    } else if (dice < 92) {
      long size = size();
      changing("resize %s to %d".formatted(volume, size), e -> e.resize(id, volume.id(), size));
    } else if (dice < 95) {
      Map<String, String> put = Map.of("name-" + random.nextInt(3), "value-" + random.nextInt(9));
      Set<String> remove = Set.of("name-" + random.nextInt(3));
      changing("attributes " + put, e -> e.setAttributes(id, volume.id(), put, remove));
    } else if (dice < 97) {
      List<RecordChange> changes =
          List.of(
              new RecordChange.Put("key-" + random.nextInt(5), "value-" + random.nextInt(9)),
              new RecordChange.Remove("key-" + random.nextInt(5)));
      changing("records " + changes, e -> applied(e, id, changes));
    } else if (lastChange != null) {
      both("a repeat", lastChange);
    }
  }

  private void revert(
      OperationId id, VolumeInfo volume, VolumeInfo other, List<VolumeInfo> volumes) {
    Map<VolumeId, VolumeId> snapshots = new LinkedHashMap<>();
    for (VolumeInfo each : volumes) {
      VolumeId origin = each.kind() == VolumeKind.SNAPSHOT ? each.origin() : null;
      if (origin != null && model.find(origin).isPresent() && random.nextBoolean()) {
        snapshots.put(origin, each.id());
      }
    }
    if (snapshots.isEmpty() || random.nextInt(4) == 0) { // one that is not possible, as a rule
      snapshots.put(volume.id(), other.id());
    }
    changing("revert " + snapshots, e -> e.revert(id, snapshots));
  }

  private void snapshot(OperationId id, VolumeInfo volume, VolumeInfo other, int volumes) {
    if (volumes + 2 > MAX_VOLUMES) {
      return;
    }
    List<SnapshotSpec> specs = new ArrayList<>();
    specs.add(new SnapshotSpec(volume.id(), newId(), Map.of()));
    specs.add(new SnapshotSpec(other.id(), newId(), Map.of("second", "one")));
    changing("snapshot " + specs, e -> e.snapshot(id, specs, Duration.ofSeconds(30)));
  }

  private static Object deleted(StorageEngine e, OperationId id, VolumeId volume) {
    e.delete(id, volume);
    return "deleted";
  }

  private static Object applied(StorageEngine e, OperationId id, List<RecordChange> changes) {
    e.records().apply(id, changes);
    return "applied";
  }

  // --- content
  // --------------------------------------------------------------------------------------

  /// The range in three pieces, in no order.
  private static List<ByteRange> pieces(Range at) {
    long end = at.offset + at.length;
    long first = Math.min(end, (at.offset + at.length / 3 + 4095) / 4096 * 4096);
    long second = Math.min(end, first + at.length / 3 / 4096 * 4096);
    return List.of(
        new ByteRange(second, end - second),
        new ByteRange(at.offset, first - at.offset),
        new ByteRange(first, second - first));
  }

  private void change(VolumeInfo volume, List<VolumeInfo> volumes) {
    VolumeId id = volume.id();
    Range at = range(volume);
    ByteBuffer data = bytes((int) at.length);
    switch (random.nextInt(10)) {
      case 0 ->
          both(
              "zero %s of %s".formatted(at, id),
              e -> io(e, id, (v, done) -> v.writeZeroes(at.offset, at.length, done)));
      case 1 ->
          both(
              "unmap %s of %s".formatted(at, id),
              e -> io(e, id, (v, done) -> v.unmap(pieces(at), done)));
      case 2 -> {
        ByteBuffer block = data.slice(0, 512);
        both(
            "write same %s of %s".formatted(at, id),
            e -> io(e, id, (v, done) -> v.writeSame(at.offset, at.length, direct(block), done)));
      }
      case 3 -> compareAndWrite(id, at, data);
      case 4, 5 -> copy(volume, volumes.get(random.nextInt(volumes.size())));
      case 6, 7 ->
          both(
              "write %s of %s and wait".formatted(at, id),
              e -> {
                e.open(id).write(at.offset, direct(data));
                return "done";
              });
      default ->
          both(
              "write %s of %s".formatted(at, id),
              e -> io(e, id, (v, done) -> v.write(at.offset, direct(data), done)));
    }
  }

  private void compareAndWrite(VolumeId id, Range at, ByteBuffer data) {
    ByteBuffer expected = read(model, id, at.offset, (int) at.length);
    if (random.nextInt(3) == 0) {
      int wrong = random.nextInt((int) at.length);
      expected.put(wrong, (byte) ~expected.get(wrong));
    }
    both(
        "compare and write %s of %s".formatted(at, id),
        e ->
            Await.compare(
                done ->
                    e.open(id).compareAndWrite(at.offset, direct(expected), direct(data), done)));
  }

  private void copy(VolumeInfo target, VolumeInfo source) {
    Range from = range(source);
    boolean congruent = random.nextInt(3) > 0;
    long offset = range(target).offset;
    long to = congruent ? offset / 4096 * 4096 + from.offset % 4096 : offset;
    both(
        "copy %s of %s to %d of %s".formatted(from, source.id(), to, target.id()),
        e ->
            io(
                e,
                target.id(),
                (v, done) -> v.copyFrom(e.open(source.id()), from.offset, to, from.length, done)));
  }

  private void look(VolumeInfo volume, List<VolumeInfo> volumes) {
    VolumeId id = volume.id();
    Range at = range(volume);
    int chunk = 4096 << random.nextInt(5);
    ByteRange segment = new ByteRange(at.offset / 4096 * 4096, at.length);
    switch (random.nextInt(5)) {
      case 0 -> both("status of " + id, e -> e.open(id).status(at.offset, 20));
      case 1 ->
          both("allocated %s of %s".formatted(segment, id), e -> e.allocated(id, segment, chunk));
      case 2 -> {
        VolumeId base = volumes.get(random.nextInt(volumes.size())).id();
        doing = "unshared %s of %s against %s".formatted(segment, id, base);
        checkUnshared(id, base, new ByteRange(0, Math.min(volume.sizeInBytes(), size(base))));
        checkDifferences(volume, base);
        if (random.nextInt(3) == 0) {
          copyDifferences(volume, base, volumes.size());
        }
      }
      default ->
          both("read %s of %s".formatted(at, id), e -> read(e, id, at.offset, (int) at.length));
    }
  }

  /// A clear bit must mean equal bytes; the model's sharing is no measure for the engine's.
  private void checkUnshared(VolumeId id, VolumeId base, ByteRange segment) {
    Object expected = outcome(model, e -> e.unshared(id, base, segment, 4096));
    Object found = outcome(engine, e -> e.unshared(id, base, segment, 4096));
    if (!(found instanceof ChunkBitmap bitmap)) {
      assertThat(found).hasSameClassAs(expected);
      return;
    }
    ByteBuffer here = read(model, id, 0, (int) segment.length());
    ByteBuffer there = read(model, base, 0, (int) segment.length());
    for (int chunk = 0; chunk < bitmap.chunkCount(); chunk++) {
      int at = chunk * 4096;
      int length = Math.min(4096, here.limit() - at);
      if (!bitmap.set().get(chunk)) {
        assertThat(here.slice(at, length))
            .as("chunk %d is clear", chunk)
            .isEqualTo(there.slice(at, length));
      }
    }
  }

  /// The parts together are exactly what the bitmap of 4 KiB has, each range once and merged.
  private void checkDifferences(VolumeInfo volume, VolumeId base) {
    VolumeId id = volume.id();
    doing = "differences of %s from %s".formatted(id, base);
    ByteRange all = new ByteRange(0, volume.sizeInBytes());
    if (outcome(engine, e -> e.unshared(id, base, all, 4096)) instanceof ChunkBitmap bitmap) {
      assertThat(ranges(engine, id, base)).isEqualTo(runs(bitmap.set(), volume.sizeInBytes()));
    } else {
      assertThat(outcome(engine, e -> e.differences(id, base, DifferencePart.Place.START, 1)))
          .isInstanceOf(StorageException.Unrelated.class);
    }
    doing = "what is stored of " + id;
    assertThat(ranges(engine, id, null)).isEqualTo(ranges(model, id, null));
  }

  private List<ByteRange> ranges(StorageEngine of, VolumeId id, @Nullable VolumeId base) {
    List<ByteRange> ranges = new ArrayList<>();
    DifferencePart.Place from = DifferencePart.Place.START;
    while (from != null) {
      int most = 1 + random.nextInt(8);
      DifferencePart part = of.differences(id, base, from, most);
      assertThat(part.ranges()).hasSizeLessThanOrEqualTo(most);
      ranges.addAll(part.ranges());
      from = part.next();
    }
    return ranges;
  }

  private static List<ByteRange> runs(BitSet blocks, long size) {
    List<ByteRange> runs = new ArrayList<>();
    for (int at = blocks.nextSetBit(0); at >= 0; at = blocks.nextSetBit(blocks.nextClearBit(at))) {
      long offset = at * 4096L;
      runs.add(new ByteRange(offset, Math.min(size, blocks.nextClearBit(at) * 4096L) - offset));
    }
    return runs;
  }

  /// Onto a copy of the base: what an engine copies beyond the differences changes nothing there.
  private void copyDifferences(VolumeInfo source, VolumeId base, int volumes) {
    if (volumes >= MAX_VOLUMES) {
      return;
    }
    VolumeId target = newId();
    CloneSpec spec = new CloneSpec(base, target, false, Map.of());
    OperationId cloning = newOperation();
    both("clone " + spec, e -> e.clone(cloning, spec));
    OperationId resizing = newOperation();
    long size = Math.max(source.sizeInBytes(), size(base));
    both("resize %s to %d".formatted(target, size), e -> e.resize(resizing, target, size));
    OperationId copying = newOperation();
    both(
        "copy what differs between %s and %s to %s".formatted(source, base, target),
        e -> {
          e.copyDiffs(copying, source.id(), base, target);
          return read(e, target, 0, (int) source.sizeInBytes());
        });
  }

  // --- choices
  // --------------------------------------------------------------------------------------

  private record Range(long offset, long length) {}

  /// A size that volumes have, one in three below 1 MiB.
  private long size() {
    return 512L
        * (random.nextInt(3) == 0
            ? 8 + random.nextInt(2048 - 8)
            : 2048 + random.nextInt(MAX_SECTORS - 2048));
  }

  private long size(VolumeId id) {
    return model.find(id).orElseThrow().sizeInBytes();
  }

  private Range range(VolumeInfo volume) {
    int sectors = (int) (volume.sizeInBytes() / 512);
    int unit = random.nextInt(3) == 0 ? 1 : 8;
    int most = Math.min(sectors / unit, random.nextInt(6) == 0 ? 64 : 5);
    int length = unit * (1 + random.nextInt(most));
    int first = random.nextInt((sectors - length) / unit + 1) * unit;
    return new Range(512L * first, 512L * length);
  }

  private OperationId newOperation() {
    return new OperationId(new UUID(random.nextLong(), random.nextLong()));
  }

  private VolumeId newId() {
    return new VolumeId(new UUID(random.nextLong(), random.nextLong()));
  }

  private ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static ByteBuffer direct(ByteBuffer data) {
    return ByteBuffer.allocateDirect(data.remaining()).put(data.duplicate()).flip();
  }

  private static ByteBuffer read(StorageEngine engine, VolumeId id, long offset, int length) {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    engine.open(id).read(offset, into);
    return into.flip();
  }

  /// An I/O of a volume.
  private interface Io {
    void start(Volume volume, Completion done);
  }

  private static Object io(StorageEngine engine, VolumeId id, Io io) {
    Volume volume = engine.open(id);
    Await.io(done -> io.start(volume, done));
    return "done";
  }
}
