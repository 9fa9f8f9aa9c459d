package io.coppice.engine.check;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A small pool with volumes, snapshots, clones, deleted ones, blocks with many placements, a
/// checkpoint, and a log behind it; and what its volumes hold.
final class UsedPool {

  static final int ZONE = 256 << 10;
  static final int SIZE = (512 << 10) + 26 * ZONE;
  static final long VOLUME_SIZE = 3 << 20;
  static final VolumeId HEAD = new VolumeId(new UUID(1, 1));

  /// A volume without relatives.
  static final VolumeId PLAIN = new VolumeId(new UUID(1, 2));

  static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  /// Where the last batch of the log writes: a torn tail leaves what was there before it.
  static final long LAST_WRITE = 900 << 10;

  private final byte[] image;
  private final byte[] second;
  private final Map<VolumeId, byte[]> contents = new TreeMap<>();
  private final SplittableRandom random;
  private final boolean hasJournal;
  private long ids = 100;

  UsedPool(long seed) {
    this(seed, EngineOptions.defaults().resources().mapMemoryBytes());
  }

  /// @param mapMemory with little of it, all segments of the log have pages
  UsedPool(long seed, long mapMemory) {
    this(seed, mapMemory, false);
  }

  private UsedPool(long seed, long mapMemory, boolean journal) {
    random = new SplittableRandom(seed);
    hasJournal = journal;
    MemoryDevice device = new MemoryDevice(new byte[SIZE]);
    RedirectOnWriteEngine.format(device, new PoolFormat(new UUID(7, seed), ZONE, CLOCK.instant()));
    image = used(device, null, mapMemory);
    second = new byte[0];
  }

  private UsedPool(long seed, long mapMemory, MemoryDevice first, MemoryDevice other) {
    random = new SplittableRandom(seed);
    hasJournal = false;
    RedirectOnWriteEngine.format(
        first, other, new PoolFormat(new UUID(7, seed), ZONE, CLOCK.instant()));
    image = used(first, other, mapMemory);
    second = other.copy();
  }

  /// The same, and a volume with a journal.
  static UsedPool withJournal(long seed, long mapMemory) {
    return new UsedPool(seed, mapMemory, true);
  }

  /// The same on two devices.
  static UsedPool mirrored(long seed, long mapMemory) {
    return new UsedPool(
        seed, mapMemory, new MemoryDevice(new byte[SIZE]), new MemoryDevice(new byte[SIZE]));
  }

  private byte[] used(MemoryDevice device, @Nullable MemoryDevice other, long mapMemory) {
    RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(
            device,
            other,
            EngineOptions.defaults().withReaderThreads(1).withMapMemoryBytes(mapMemory),
            CLOCK);
    use(engine);
    engine.list().forEach(info -> contents.put(info.id(), read(engine, info.id())));
    engine.abandon();
    return device.copy();
  }

  /// Of the second device.
  byte[] second() {
    return second.clone();
  }

  byte[] image() {
    return image.clone();
  }

  /// What each volume and snapshot holds.
  Map<VolumeId, byte[]> contents() {
    return contents;
  }

  private void use(RedirectOnWriteEngine engine) {
    engine.create(operation(), VolumeSpec.thin(HEAD, VOLUME_SIZE));
    VolumeId doomed = id();
    engine.create(operation(), VolumeSpec.thin(doomed, VOLUME_SIZE));
    write(engine, HEAD, 0, 40);
    write(engine, doomed, 16, 20);
    engine.create(operation(), VolumeSpec.thin(PLAIN, VOLUME_SIZE));
    write(engine, PLAIN, 7, 12);
    write(engine, PLAIN, 600, 3);
    List<VolumeId> snapshots = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      VolumeId snapshot = id();
      engine.snapshot(
          operation(),
          List.of(new SnapshotSpec(HEAD, snapshot, Map.of("n", "" + i))),
          Duration.ofSeconds(5));
      snapshots.add(snapshot);
      write(engine, HEAD, 4 * i, 6);
    }
    VolumeId copy = id();
    engine.clone(operation(), new CloneSpec(snapshots.get(1), copy, false, Map.of()));
    write(engine, copy, 60, 10);
    Volume head = engine.open(HEAD);
    Await.io(done -> engine.open(copy).copyFrom(head, 0, 512 << 10, 80 << 10, done));
    Await.io(done -> head.writeSame(300 << 10, 48 << 10, bytes(4096), done));
    Await.io(done -> head.unmap(8 << 10, 8 << 10, done));
    engine.delete(operation(), snapshots.getFirst());
    engine.delete(operation(), doomed);
    engine.awaitReclaim();
    if (hasJournal) {
      journal(engine);
    }
    engine.checkpoint();
    write(engine, HEAD, 20, 3);
    engine.setAttributes(operation(), copy, Map.of("a", "b"), java.util.Set.of());
    engine.checkpoint();
    for (int i = 0; i < 4; i++) {
      write(engine, HEAD, 100 + 5 * i, 4);
    }
    engine.create(operation(), VolumeSpec.thin(id(), VOLUME_SIZE));
    engine.records().apply(operation(), List.of(new RecordChange.Put("key", "value")));
    write(engine, copy, 30, 5);
    write(engine, HEAD, (int) (LAST_WRITE / 4096), 2);
  }

  /// A journal with what was written over, holes, and the content before a revert.
  private void journal(RedirectOnWriteEngine engine) {
    VolumeId id = id();
    engine.create(operation(), VolumeSpec.thin(id, VOLUME_SIZE));
    write(engine, id, 3, 2);
    engine
        .journals()
        .keep(
            operation(),
            id,
            List.of(
                new JournalTier(Duration.ofHours(1), Duration.ofDays(1)),
                new JournalTier(Duration.ofDays(1), Duration.ofDays(9))));
    write(engine, id, 4, 3);
    Instant begin = engine.journals().points(id, Instant.EPOCH, 1).getFirst();
    engine.journals().revert(operation(), id, begin);
    write(engine, id, 3, 1);
  }

  private void write(RedirectOnWriteEngine engine, VolumeId volume, int block, int blocks) {
    Await.io(done -> engine.open(volume).write(4096L * block, bytes(4096 * blocks), done));
  }

  // Each block is one number over and over: unlike every other one, and small when compressed.
  private ByteBuffer bytes(int length) {
    ByteBuffer content = ByteBuffer.allocateDirect(length);
    while (content.hasRemaining()) {
      long number = random.nextLong();
      for (int i = 0; i < 4096; i += 8) {
        content.putLong(number);
      }
    }
    return content.flip();
  }

  private static byte[] read(RedirectOnWriteEngine engine, VolumeId volume) {
    ByteBuffer into = ByteBuffer.allocateDirect((int) VOLUME_SIZE);
    Await.io(done -> engine.open(volume).read(0, into, done));
    byte[] content = new byte[(int) VOLUME_SIZE];
    into.flip().get(content);
    return content;
  }

  private VolumeId id() {
    return new VolumeId(new UUID(2, ids++));
  }

  private OperationId operation() {
    return new OperationId(new UUID(3, ids++));
  }
}
