package io.coppice.engine.testing;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.FreedSpace;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.Scrub;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.format.Change;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.engine.testing.MemoryPool.Held;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The engine as a model: complete, simple and slow, everything in memory under one lock.
///
/// It is what the real engine is compared with, and the stand-in for it in the tests of other
/// modules. I/O completes on the calling thread before the method returns, unless an executor is
/// given. Nothing survives its end.
public final class MemoryEngine implements StorageEngine {

  private final PoolInfo pool;
  private final Executor completions;
  private final InstantSource clock;
  private final MemoryPool held;
  private final Map<OperationId, Object> results = new HashMap<>();
  private final MemoryRecords records;
  private final MemoryLocks locks;
  private final MemoryJournals journals;
  private final ScriptedScrub scrub = new ScriptedScrub();
  private final LongAdder hostWritten = new LongAdder();
  private final LongAdder hostRead = new LongAdder();
  private final LongAdder copied = new LongAdder();
  private final LongAdder recordsWritten = new LongAdder();
  private PoolStatus status; // guarded by this

  /// A pool of 1 TiB.
  public MemoryEngine() {
    this(1L << 40, InstantSource.system());
  }

  public MemoryEngine(long capacityInBytes, InstantSource clock) {
    this(capacityInBytes, clock, Runnable::run);
  }

  /// @param completions runs what is told at the end of each I/O; the I/O itself is done by the
  ///   caller, before its method returns
  public MemoryEngine(long capacityInBytes, InstantSource clock, Executor completions) {
    this.held = new MemoryPool(capacityInBytes);
    this.records = new MemoryRecords(held::checkOpen);
    this.clock = clock;
    this.locks = new MemoryLocks(this, held, clock);
    this.journals = new MemoryJournals(this, held, clock);
    this.completions = completions;
    this.pool = new PoolInfo(UUID.randomUUID(), 1, clock.instant(), 0);
    this.status = new PoolStatus(PoolStatus.State.SERVING, clock.instant(), "");
  }

  /// What finds the damage that a test wants found.
  public ScriptedScrub damage() {
    return scrub;
  }

  @Override
  public Journals journals() {
    return journals;
  }

  @Override
  public Scrub scrub() {
    return scrub;
  }

  @Override
  public PoolInfo pool() {
    return pool;
  }

  @Override
  public synchronized PoolSpace space() {
    return held.space();
  }

  @Override
  public synchronized PoolStatus status() {
    return status;
  }

  /// Fails whatever comes from now on, as a pool does that its device has failed; with a sentence.
  public synchronized void stop(String reason) {
    status = new PoolStatus(PoolStatus.State.STOPPED, clock.instant(), reason);
    held.fail(reason);
  }

  /// Says of itself that it serves, but lacks something.
  ///
  /// @param reason a sentence; empty: it lacks nothing any more
  public synchronized void degrade(String reason) {
    status =
        new PoolStatus(
            reason.isEmpty() ? PoolStatus.State.SERVING : PoolStatus.State.DEGRADED,
            clock.instant(),
            reason);
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
        copied.sum(),
        0,
        0);
  }

  @Override
  public PoolRecords records() {
    return records;
  }

  @Override
  public MemoryLocks locks() {
    return locks;
  }

  @Override
  public synchronized VolumeInfo create(OperationId operation, VolumeSpec spec) {
    return once(
        operation,
        () -> {
          MemoryRules.checkSize(spec.sizeInBytes());
          locks.check(new Change.Create(operation, spec));
          MemoryRules.checkAttributes(spec.attributes());
          held.requireAbsent(spec.id());
          held.requireFree(
              spec.reserved() ? MemoryPool.blockBytes(spec.sizeInBytes()) : 0, spec.id());
          VolumeInfo info =
              new VolumeInfo(
                  spec.id(),
                  VolumeKind.WRITABLE,
                  spec.sizeInBytes(),
                  null,
                  spec.reserved(),
                  now(),
                  spec.attributes());
          return held.put(new Held(info, UUID.randomUUID(), held.emptyContent()));
        });
  }

  @Override
  public synchronized Optional<VolumeInfo> find(VolumeId id) {
    return held.find(id);
  }

  @Override
  public synchronized List<VolumeInfo> list() {
    return held.all().stream().map(Held::info).toList();
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
          MemoryRules.checkGroup(specs, timeout);
          locks.check(new Change.Snapshot(operation, specs));
          specs.forEach(
              spec -> {
                volumeOf(spec.source());
                held.requireAbsent(spec.id());
                MemoryRules.checkAttributes(spec.attributes());
              });
          long needed =
              specs.stream()
                  .map(spec -> volumeOf(spec.source()))
                  .filter(source -> source.info().reserved())
                  .mapToLong(held::uniqueBytes)
                  .sum();
          held.requireFree(needed, specs.getFirst().id());
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
    return held.put(new Held(info, source.family(), source.content().copy()));
  }

  @Override
  public synchronized VolumeInfo clone(OperationId operation, CloneSpec spec) {
    return once(
        operation,
        () -> {
          locks.check(new Change.Clone(operation, spec));
          Held source = volumeOf(spec.source());
          held.requireAbsent(spec.id());
          MemoryRules.checkAttributes(spec.attributes());
          held.requireFree(
              spec.reserved() ? MemoryPool.blockBytes(source.sizeInBytes()) : 0, spec.id());
          VolumeInfo info =
              new VolumeInfo(
                  spec.id(),
                  VolumeKind.WRITABLE,
                  source.sizeInBytes(),
                  spec.source(),
                  spec.reserved(),
                  now(),
                  spec.attributes());
          return held.put(new Held(info, source.family(), source.content().copy()));
        });
  }

  @Override
  public synchronized VolumeInfo revert(OperationId operation, VolumeId id, VolumeId snapshot) {
    return revert(operation, Map.of(id, snapshot)).getFirst();
  }

  @Override
  public synchronized List<VolumeInfo> revert(
      OperationId operation, Map<VolumeId, VolumeId> snapshots) {
    MemoryRules.checkReverts(snapshots.size());
    return once(operation, () -> journals.revertToSnapshots(snapshots));
  }

  @Override
  public synchronized VolumeInfo resize(OperationId operation, VolumeId id, long sizeInBytes) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          MemoryPool.requireWritable(volume);
          MemoryRules.checkSize(sizeInBytes);
          MemoryRules.checkAtLeast(volume.sizeInBytes(), sizeInBytes);
          Held grown =
              volume.with(sizeInBytes, volume.info().reserved(), volume.info().attributes());
          held.requireFree(
              held.outstandingReservation(grown) - held.outstandingReservation(volume), id);
          return held.put(grown);
        });
  }

  @Override
  public synchronized VolumeInfo reserve(OperationId operation, VolumeId id, boolean reserved) {
    return once(
        operation,
        () -> {
          Held volume = volumeOf(id);
          MemoryPool.requireWritable(volume);
          Held changed = volume.with(volume.sizeInBytes(), reserved, volume.info().attributes());
          held.requireFree(
              held.outstandingReservation(changed) - held.outstandingReservation(volume), id);
          return held.put(changed);
        });
  }

  @Override
  public synchronized void delete(OperationId operation, VolumeId id) {
    once(
        operation,
        () -> {
          volumeOf(id);
          locks.check(new Change.Delete(operation, id));
          held.remove(id);
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
          locks.check(new Change.Attributes(operation, id, put, remove));
          Map<String, String> merged = new TreeMap<>(volume.info().attributes());
          merged.keySet().removeAll(remove);
          merged.putAll(put);
          MemoryRules.checkAttributes(merged);
          return held.put(volume.with(volume.sizeInBytes(), volume.info().reserved(), merged));
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
          MemoryPool.requireWritable(to);
          MemoryRules.checkAtLeast(from.sizeInBytes(), to.sizeInBytes());
          ByteRange all = new ByteRange(0, from.sizeInBytes());
          BitSet changed = unshared(source, base, all, MemoryContent.BLOCK).set();
          return changed.stream().mapToLong(block -> MemoryVolume.copyBlock(from, to, block)).sum();
        });
  }

  @Override
  public synchronized ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSizeInBytes) {
    return held.allocated(id, segment, chunkSizeInBytes);
  }

  @Override
  public synchronized ChunkBitmap unshared(
      VolumeId id, VolumeId base, ByteRange segment, long chunkSizeInBytes) {
    return held.unshared(id, base, segment, chunkSizeInBytes);
  }

  @Override
  public synchronized DifferencePart differences(
      VolumeId id, @Nullable VolumeId base, DifferencePart.Place from, int most) {
    return held.differences(id, base, from, most);
  }

  @Override
  public synchronized Map<VolumeId, VolumeId> bases() {
    return held.ancestry().all();
  }

  @Override
  public synchronized VolumeSpace spaceOf(VolumeId id) {
    Held volume = volumeOf(id);
    long mapped = volume.content().mappedBytes();
    return new VolumeSpace(mapped, held.uniqueBytes(volume), held.outstandingReservation(volume));
  }

  @Override
  public synchronized FreedSpace freedInOrder(Collection<VolumeId> candidates, long enough) {
    List<VolumeId> order = List.copyOf(new LinkedHashSet<>(candidates));
    MemoryRules.checkFreed(order.size());
    return held.freedInOrder(order, enough);
  }

  /// There is no log to be begun anew.
  @Override
  public void checkpoint() {}

  @Override
  public synchronized void close() {
    held.close();
  }

  // --- for MemoryVolume
  // -----------------------------------------------------------------------------

  synchronized Held volumeOf(VolumeId id) {
    return held.volumeOf(id);
  }

  void requireFreeToWrite(Held volume, long offset, long length) {
    held.requireFreeToWrite(volume, offset, length);
  }

  synchronized List<MappedRange> statusOf(VolumeId id, long offset, int maxRuns) {
    return held.statusOf(id, offset, maxRuns);
  }

  void run(Completion completion, Runnable work) {
    try {
      synchronized (this) {
        work.run();
      }
    } catch (StorageException e) {
      completions.execute(() -> completion.failed(e));
      return;
    }
    completions.execute(completion::succeeded);
  }

  void runCompare(CompareCompletion completion, IntSupplier compare) {
    int mismatch;
    try {
      synchronized (this) {
        mismatch = compare.getAsInt();
      }
    } catch (StorageException e) {
      completions.execute(() -> completion.failed(e));
      return;
    }
    completions.execute(
        () -> {
          if (mismatch < 0) {
            completion.written();
          } else {
            completion.miscompared(mismatch);
          }
        });
  }

  void countRecord() {
    recordsWritten.increment();
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

  @Override
  public synchronized boolean remembers(OperationId operation) {
    held.checkOpen();
    return results.containsKey(operation);
  }

  @SuppressWarnings("unchecked") // a result is stored under the operation that made it
  private <T> T once(OperationId operation, Supplier<T> change) {
    held.checkOpen();
    T known = (T) results.get(operation);
    if (known != null) {
      return known;
    }
    T result = change.get();
    results.put(operation, result);
    recordsWritten.increment();
    return result;
  }

  private Instant now() {
    return clock.instant();
  }
}
