package io.coppice.engine.testing;

import io.coppice.engine.ByteRange;
import io.coppice.engine.ChunkBitmap;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.EngineCounters;
import io.coppice.engine.MappedRange;
import io.coppice.engine.OperationId;
import io.coppice.engine.PoolInfo;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.PoolSpace;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.VolumeSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// The engine as a model: complete, simple and slow, everything in memory under one lock.
///
/// It is what the real engine is compared with, and the stand-in for it in the tests of other
/// modules. I/O completes on the calling thread before the method returns. Nothing survives its
/// end.
public final class MemoryEngine implements StorageEngine {

  private final PoolInfo pool;
  private final long capacityInBytes;
  private final InstantSource clock;
  private final TreeMap<VolumeId, Held> volumes = new TreeMap<>();
  private final Map<OperationId, Object> results = new HashMap<>();
  private final MemoryRecords records = new MemoryRecords();
  private final LongAdder hostWritten = new LongAdder();
  private final LongAdder hostRead = new LongAdder();
  private final LongAdder copied = new LongAdder();
  private final LongAdder recordsWritten = new LongAdder();
  private boolean closed;

  /// A pool of 1 TiB.
  public MemoryEngine() {
    this(1L << 40, InstantSource.system());
  }

  public MemoryEngine(long capacityInBytes, InstantSource clock) {
    this.capacityInBytes = capacityInBytes;
    this.clock = clock;
    this.pool = new PoolInfo(UUID.randomUUID(), 1, clock.instant(), 0);
  }

  /// One volume: what is known of it and what it holds.
  record Held(VolumeInfo info, UUID family, MemoryContent content) {

    long sizeInBytes() {
      return info.sizeInBytes();
    }

    Held with(long sizeInBytes, boolean reserved, Map<String, String> attributes) {
      return with(sizeInBytes, reserved, attributes, content);
    }

    Held with(
        long sizeInBytes, boolean reserved, Map<String, String> attributes, MemoryContent now) {
      VolumeInfo changed =
          new VolumeInfo(
              info.id(),
              info.kind(),
              sizeInBytes,
              info.origin(),
              reserved,
              info.created(),
              attributes);
      return new Held(changed, family, now);
    }
  }

  @Override
  public PoolInfo pool() {
    return pool;
  }

  @Override
  public synchronized PoolSpace space() {
    Set<byte[]> stored = MemoryContent.identitySet();
    volumes.values().forEach(volume -> stored.addAll(volume.content().blocks().values()));
    long used = (long) stored.size() * MemoryContent.BLOCK;
    long reserved = volumes.values().stream().mapToLong(this::outstandingReservation).sum();
    return new PoolSpace(
        capacityInBytes, used, 0, reserved, Math.max(0, capacityInBytes - used - reserved));
  }

  @Override
  public EngineCounters counters() {
    return new EngineCounters(
        0,
        0,
        recordsWritten.sum(),
        recordsWritten.sum(),
        hostWritten.sum(),
        hostRead.sum(),
        copied.sum());
  }

  @Override
  public PoolRecords records() {
    return records;
  }

  @Override
  public synchronized VolumeInfo create(OperationId operation, VolumeSpec spec) {
    return once(
        operation,
        () -> {
          MemoryRules.checkSize(spec.sizeInBytes());
          MemoryRules.checkAttributes(spec.attributes());
          requireAbsent(spec.id());
          requireFree(spec.reserved() ? spec.sizeInBytes() : 0, spec.id());
          VolumeInfo info =
              new VolumeInfo(
                  spec.id(),
                  VolumeKind.WRITABLE,
                  spec.sizeInBytes(),
                  null,
                  spec.reserved(),
                  now(),
                  spec.attributes());
          return put(new Held(info, UUID.randomUUID(), new MemoryContent()));
        });
  }

  @Override
  public synchronized Optional<VolumeInfo> find(VolumeId id) {
    return Optional.ofNullable(volumes.get(id)).map(Held::info);
  }

  @Override
  public synchronized List<VolumeInfo> list() {
    return volumes.values().stream().map(Held::info).toList();
  }

  @Override
  public synchronized Volume open(VolumeId id) {
    return new MemoryVolume(this, id, volumeOf(id).info().kind());
  }

  @Override
  public synchronized List<VolumeInfo> snapshot(
      OperationId operation, List<SnapshotSpec> specs, Duration timeout) {
    return once(
        operation,
        () -> {
          if (specs.isEmpty() || specs.size() > MAX_GROUP) {
            throw new StorageException.InvalidRequest(
                "expected 1 to %d volumes, got %d".formatted(MAX_GROUP, specs.size()));
          }
          if (timeout.isNegative() || timeout.isZero()) {
            throw new StorageException.TimedOut("expected a positive timeout, got " + timeout);
          }
          long ids = specs.stream().map(SnapshotSpec::id).distinct().count();
          if (ids != specs.size()) {
            throw new StorageException.AlreadyExists("expected different ids in one group");
          }
          specs.forEach(
              spec -> {
                volumeOf(spec.source());
                requireAbsent(spec.id());
                MemoryRules.checkAttributes(spec.attributes());
              });
          long needed =
              specs.stream()
                  .map(spec -> volumeOf(spec.source()))
                  .filter(source -> source.info().reserved())
                  .mapToLong(source -> uniqueBytes(source))
                  .sum();
          requireFree(needed, specs.getFirst().id());
          return specs.stream().map(this::take).toList();
        });
  }

  private VolumeInfo take(SnapshotSpec spec) {
    Held source = volumeOf(spec.source());
    VolumeInfo info =
        new VolumeInfo(
            spec.id(),
            VolumeKind.SNAPSHOT,
            source.sizeInBytes(),
            spec.source(),
            false,
            now(),
            spec.attributes());
    return put(new Held(info, source.family(), source.content().copy()));
  }

  @Override
  public synchronized VolumeInfo clone(OperationId operation, CloneSpec spec) {
    return once(
        operation,
        () -> {
          Held source = volumeOf(spec.source());
          requireAbsent(spec.id());
          MemoryRules.checkAttributes(spec.attributes());
          requireFree(spec.reserved() ? source.sizeInBytes() : 0, spec.id());
          VolumeInfo info =
              new VolumeInfo(
                  spec.id(),
                  VolumeKind.WRITABLE,
                  source.sizeInBytes(),
                  spec.source(),
                  spec.reserved(),
                  now(),
                  spec.attributes());
          return put(new Held(info, source.family(), source.content().copy()));
        });
  }

  @Override
  public synchronized VolumeInfo revert(OperationId operation, VolumeId id, VolumeId snapshot) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          Held target = volumeOf(snapshot);
          requireWritable(volume);
          if (target.info().kind() != VolumeKind.SNAPSHOT || !id.equals(target.info().origin())) {
            throw new StorageException.Unrelated(
                "expected a snapshot of %s, %s is not".formatted(id, snapshot));
          }
          return put(
              volume.with(
                  target.sizeInBytes(),
                  volume.info().reserved(),
                  volume.info().attributes(),
                  target.content().copy()));
        });
  }

  @Override
  public synchronized VolumeInfo resize(OperationId operation, VolumeId id, long sizeInBytes) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          requireWritable(volume);
          MemoryRules.checkSize(sizeInBytes);
          if (sizeInBytes < volume.sizeInBytes()) {
            throw new StorageException.InvalidRequest(
                "expected at least the present size of %d bytes, got %d"
                    .formatted(volume.sizeInBytes(), sizeInBytes));
          }
          requireFree(volume.info().reserved() ? sizeInBytes - volume.sizeInBytes() : 0, id);
          return put(
              volume.with(sizeInBytes, volume.info().reserved(), volume.info().attributes()));
        });
  }

  @Override
  public synchronized VolumeInfo reserve(OperationId operation, VolumeId id, boolean reserved) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          requireWritable(volume);
          Held changed = volume.with(volume.sizeInBytes(), reserved, volume.info().attributes());
          requireFree(outstandingReservation(changed) - outstandingReservation(volume), id);
          return put(changed);
        });
  }

  @Override
  public synchronized void delete(OperationId operation, VolumeId id) {
    once(
        operation,
        () -> {
          volumeOf(id);
          volumes.remove(id);
          return Boolean.TRUE;
        });
  }

  @Override
  public synchronized VolumeInfo setAttributes(
      OperationId operation, VolumeId id, Map<String, String> put, Set<String> remove) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          Map<String, String> merged = new TreeMap<>(volume.info().attributes());
          merged.keySet().removeAll(remove);
          merged.putAll(put);
          MemoryRules.checkAttributes(merged);
          return put(volume.with(volume.sizeInBytes(), volume.info().reserved(), merged));
        });
  }

  @Override
  public synchronized long copyDiffs(
      OperationId operation, VolumeId source, VolumeId base, VolumeId destination) {
    return once(
        operation,
        () -> {
          Held from = volumeOf(source);
          Held to = volumeOf(destination);
          requireWritable(to);
          if (to.sizeInBytes() < from.sizeInBytes()) {
            throw new StorageException.InvalidRequest(
                "expected a destination of at least %d bytes, got %d"
                    .formatted(from.sizeInBytes(), to.sizeInBytes()));
          }
          ByteRange all =
              new ByteRange(0, from.sizeInBytes() / MemoryContent.BLOCK * MemoryContent.BLOCK);
          BitSet changed = unshared(source, base, all, MemoryContent.BLOCK).set();
          changed.stream().forEach(block -> to.content().share(from.content(), block, block, 1));
          return (long) changed.cardinality() * MemoryContent.BLOCK;
        });
  }

  @Override
  public synchronized ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSizeInBytes) {
    Held volume = volumeOf(id);
    return MemoryRules.bitmap(
        volume,
        segment,
        chunkSizeInBytes,
        (block, count) -> !volume.content().blocks().subMap(block, block + count).isEmpty());
  }

  @Override
  public synchronized ChunkBitmap unshared(
      VolumeId id, VolumeId base, ByteRange segment, long chunkSizeInBytes) {
    Held volume = volumeOf(id);
    Held other = volumeOf(base);
    if (!volume.family().equals(other.family())) {
      throw new StorageException.Unrelated(
          "expected two volumes of one family, %s and %s are not".formatted(id, base));
    }
    return MemoryRules.bitmap(
        volume,
        segment,
        chunkSizeInBytes,
        (block, count) -> volume.content().differs(other.content(), block, count));
  }

  @Override
  public synchronized VolumeSpace spaceOf(VolumeId id) {
    Held volume = volumeOf(id);
    long mapped = (long) volume.content().blocks().size() * MemoryContent.BLOCK;
    return new VolumeSpace(mapped, uniqueBytes(volume), outstandingReservation(volume));
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  // --- for MemoryVolume
  // -----------------------------------------------------------------------------

  synchronized Held volumeOf(VolumeId id) {
    if (closed) {
      throw new StorageException.DeviceFailed("the engine is closed");
    }
    Held volume = volumes.get(id);
    if (volume == null) {
      throw new StorageException.NotFound("there is no volume " + id);
    }
    return volume;
  }

  void run(Completion completion, Runnable work) {
    try {
      synchronized (this) {
        work.run();
      }
    } catch (StorageException e) {
      completion.failed(e);
      return;
    }
    completion.succeeded();
  }

  void runCompare(CompareCompletion completion, IntSupplier compare) {
    int mismatch;
    try {
      synchronized (this) {
        mismatch = compare.getAsInt();
      }
    } catch (StorageException e) {
      completion.failed(e);
      return;
    }
    if (mismatch < 0) {
      completion.written();
    } else {
      completion.miscompared(mismatch);
    }
  }

  /// Refuses a write that needs more space than is free and not set aside for others.
  void spend(Held volume, long offset, long length) {
    long first = offset / MemoryContent.BLOCK;
    long last = Math.ceilDiv(offset + length, MemoryContent.BLOCK);
    long fresh = last - first - volume.content().blocks().subMap(first, last).size();
    if (!volume.info().reserved() && fresh * MemoryContent.BLOCK > space().free()) {
      throw new StorageException.OutOfSpace(
          "the write needs %d bytes, %d are free"
              .formatted(fresh * MemoryContent.BLOCK, space().free()));
    }
  }

  synchronized List<MappedRange> statusOf(VolumeId id, long offset, int maxRuns) {
    Held volume = volumeOf(id);
    if (offset < 0 || offset >= volume.sizeInBytes() || maxRuns < 1) {
      throw new StorageException.InvalidRequest(
          "expected an offset inside %d bytes and at least one run, got %d and %d"
              .formatted(volume.sizeInBytes(), offset, maxRuns));
    }
    List<MappedRange> runs = new ArrayList<>();
    long at = offset;
    while (at < volume.sizeInBytes() && runs.size() < maxRuns) {
      boolean mapped = volume.content().holds(at / MemoryContent.BLOCK);
      long end = MemoryRules.endOfRun(volume, at / MemoryContent.BLOCK, mapped);
      runs.add(new MappedRange(new ByteRange(at, end - at), mapped));
      at = end;
    }
    return runs;
  }

  void countRead(long bytes) {
    hostRead.add(bytes);
  }

  void countWrite(long bytes) {
    hostWritten.add(bytes);
  }

  void countCopy(long bytes) {
    copied.add(bytes);
  }

  // --- rules
  // ----------------------------------------------------------------------------------------

  @SuppressWarnings("unchecked") // a result is stored under the operation that made it
  private <T> T once(OperationId operation, Supplier<T> change) {
    if (closed) {
      throw new StorageException.DeviceFailed("the engine is closed");
    }
    T known = (T) results.get(operation);
    if (known != null) {
      return known;
    }
    T result = change.get();
    results.put(operation, result);
    recordsWritten.increment();
    return result;
  }

  private VolumeInfo put(Held volume) {
    volumes.put(volume.info().id(), volume);
    return volume.info();
  }

  private Instant now() {
    return clock.instant();
  }

  private long uniqueBytes(Held volume) {
    Set<byte[]> others = MemoryContent.identitySet();
    volumes.values().stream()
        .filter(other -> !other.info().id().equals(volume.info().id()))
        .filter(other -> other.family().equals(volume.family()))
        .forEach(other -> others.addAll(other.content().blocks().values()));
    return volume.content().blocks().values().stream()
            .filter(block -> !others.contains(block))
            .count()
        * MemoryContent.BLOCK;
  }

  private long outstandingReservation(Held volume) {
    return volume.info().reserved() ? Math.max(0, volume.sizeInBytes() - uniqueBytes(volume)) : 0;
  }

  private void requireAbsent(VolumeId id) {
    if (volumes.containsKey(id)) {
      throw new StorageException.AlreadyExists("there is a volume %s already".formatted(id));
    }
  }

  private static void requireWritable(Held volume) {
    if (volume.info().kind() == VolumeKind.SNAPSHOT) {
      throw new StorageException.ReadOnly(
          "%s is a snapshot: it cannot be changed".formatted(volume.info().id()));
    }
  }

  private void requireFree(long needed, VolumeId id) {
    if (needed > space().free()) {
      throw new StorageException.OutOfSpace(
          "%s needs %d bytes set aside, %d are free".formatted(id, needed, space().free()));
    }
  }
}
