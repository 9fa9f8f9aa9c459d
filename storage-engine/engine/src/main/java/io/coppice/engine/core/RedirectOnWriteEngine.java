package io.coppice.engine.core;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.FreedSpace;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.Scrub;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.change.ChangeCommand;
import io.coppice.engine.change.DifferenceCopy;
import io.coppice.engine.change.MapQueries;
import io.coppice.engine.change.OperationLookup;
import io.coppice.engine.checkpoint.Formatting;
import io.coppice.engine.clean.CleaningReport;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.CountingDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.IoFreeList;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.io.PoolVolume;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.mirror.Devices;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.scrub.Scrubber;
import io.coppice.engine.state.Quiesce;
import io.coppice.engine.state.RequestBounds;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.engine.superblock.PoolDevices;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.supply.ZoneSupply;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A pool on a device: redirect-on-write volumes on one log.
public final class RedirectOnWriteEngine implements StorageEngine {

  private final OpenPool pool;
  private final IoFreeList spares;
  private final CommitterHousekeeping housekeeping;
  private final CountingDevice device;
  private final PoolInfo info;
  private final Scrubber scrubber;
  private final Devices devices;
  private final @Nullable ZoneSupply supply;
  private final MapQueries queries;
  private final PoolLocks locks;
  private final PoolJournals journals;
  private final SnapshotReverts reverts;
  private boolean closed; // guarded by this

  RedirectOnWriteEngine(
      OpenPool pool,
      CommitterHousekeeping housekeeping,
      Scrubber scrubber,
      CountingDevice device,
      PoolInfo info,
      Devices devices,
      @Nullable ZoneSupply supply,
      PoolLocks locks,
      PoolJournals journals) {
    this.pool = pool;
    this.locks = locks;
    this.journals = journals;
    spares = new IoFreeList(pool);
    this.supply = supply;
    this.devices = devices;
    this.housekeeping = housekeeping;
    this.scrubber = scrubber;
    this.device = device;
    this.info = info;
    queries = new MapQueries(pool);
    reverts = new SnapshotReverts(pool, housekeeping, locks);
  }

  /// Writes a fresh pool over the content of the device; stable on return.
  ///
  /// @throws StorageException.PoolUnusable if the device is too small
  public static void format(BlockDevice device, PoolFormat format) {
    Formatting.format(device, format);
  }

  /// As above, for a pool on two devices.
  ///
  /// @throws StorageException.PoolUnusable if one is too small
  public static void format(BlockDevice first, BlockDevice second, PoolFormat format) {
    Formatting.format(new Mirror(first, second), format, Superblock.Mirror.fresh());
  }

  /// Opens a pool and recovers it. Everything acknowledged before is there, and beyond that only
  /// changes that were under way. The engine owns the device from now on and closes it.
  ///
  /// @throws StorageException.PoolUnusable if this is not a pool of this format
  /// @throws StorageException.Damaged if acknowledged data cannot be read
  /// @throws StorageException.DeviceFailed if the device cannot be read
  public static RedirectOnWriteEngine open(
      BlockDevice device, EngineOptions options, InstantSource clock) {
    return open(device, null, options, clock);
  }

  /// As above, for a pool on two devices, both of which the engine owns.
  ///
  /// @param first and `second`: null for one that is missing, not both. Each must report a failure
  ///   to every later caller of sync, as [io.coppice.engine.device.FailStopDevice] does
  public static RedirectOnWriteEngine open(
      @Nullable BlockDevice first,
      @Nullable BlockDevice second,
      EngineOptions options,
      InstantSource clock) {
    return open(first, second, options, clock, System::nanoTime);
  }

  /// As above.
  ///
  /// @param nanos a count of nanoseconds that no change of the clock affects: the time of locks
  public static RedirectOnWriteEngine open(
      @Nullable BlockDevice first,
      @Nullable BlockDevice second,
      EngineOptions options,
      InstantSource clock,
      LongSupplier nanos) {
    try {
      return Opening.open(
          PoolDevices.find(first, second, options.devices().startsDegraded()),
          options,
          new Opening.Time(clock, nanos));
    } catch (DeviceException e) {
      throw new StorageException.DeviceFailed("The pool cannot be opened: " + e.getMessage(), e);
    }
  }

  @Override
  public PoolInfo pool() {
    return info;
  }

  @Override
  public PoolSpace space() {
    return pool.state().space().report();
  }

  @Override
  public PoolStatus status() {
    return pool.service().look(List.of(this::missingCopy, () -> spaceLimit().orElse("")));
  }

  private String missingCopy() {
    return devices.status().map(MirrorStatus::sentence).orElse("");
  }

  @Override
  public Optional<String> spaceLimit() {
    return supply == null ? Optional.empty() : supply.limit();
  }

  @Override
  public EngineCounters counters() {
    return new EngineCounters(
        device.bytesWritten(),
        device.bytesRead(),
        pool.log().batches(),
        pool.log().records(),
        pool.tally().hostBytesWritten.sum(),
        pool.tally().hostBytesRead.sum(),
        pool.tally().bytesCopiedByPointer.sum(),
        housekeeping.cleaned().blocksMoved() * PoolLayout.BLOCK,
        pool.state().metaReads().mended());
  }

  @Override
  public Map<VolumeId, WrittenCounts> written() {
    return pool.state().written();
  }

  @Override
  public PoolRecords records() {
    return new CallersRecords(pool.state().records(), this::change);
  }

  @Override
  public SnapshotLocks locks() {
    return locks;
  }

  @Override
  public Journals journals() {
    return journals;
  }

  @Override
  public Optional<MirrorStatus> mirror() {
    return devices.status();
  }

  @Override
  public Scrub scrub() {
    return scrubber;
  }

  @Override
  public VolumeInfo create(OperationId operation, VolumeSpec spec) {
    RequestBounds.size(spec.sizeInBytes());
    RequestBounds.attributes(spec.attributes());
    allow(spec.sizeInBytes());
    return PoolLocks.volume(change(new Change.Create(operation, spec)), operation);
  }

  /// Makes the pool say that it has small volumes before it has the first.
  ///
  /// A program without that feature would replay the record of such a volume and call the pool
  /// damaged at its next open, after it had changed it. So a superblock with the feature is stable
  /// before the record enters the log. A crash between the two leaves the feature without such a
  /// volume, which is harmless; the feature stays. All other changes make volumes of a size that
  /// was there before, or larger ones.
  private void allow(long sizeInBytes) {
    if (sizeInBytes < housekeeping.smallestVolume()) {
      housekeeping.allowSmallVolumes();
      checkpoint();
    }
  }

  @Override
  public Optional<VolumeInfo> find(VolumeId id) {
    VolumeState volume = pool.state().find(id);
    return volume == null ? Optional.empty() : Optional.of(volume.info());
  }

  @Override
  public List<VolumeInfo> list() {
    return pool.state().volumes().stream().map(VolumeState::info).toList();
  }

  @Override
  public Volume open(VolumeId id) {
    pool.service().check();
    return new PoolVolume(pool, spares, require(id));
  }

  private VolumeState require(VolumeId id) {
    return queries.require(id);
  }

  @Override
  public List<VolumeInfo> snapshot(
      OperationId operation, List<SnapshotSpec> specs, Duration timeout) {
    if (specs.isEmpty() || specs.size() > MAX_GROUP) {
      throw new StorageException.InvalidRequest(
          "Expected 1 to %d volumes to snapshot, got %d.".formatted(MAX_GROUP, specs.size()));
    }
    specs.forEach(spec -> RequestBounds.attributes(spec.attributes()));
    if (!timeout.isPositive()) {
      throw new StorageException.TimedOut(
          "Operation %s had no time to begin.".formatted(operation));
    }
    Change change = new Change.Snapshot(operation, List.copyOf(specs));
    locks.prepare(change);
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().execute(command);
    return PoolLocks.volumes(command.await(timeout), operation);
  }

  @Override
  public VolumeInfo clone(OperationId operation, CloneSpec spec) {
    RequestBounds.attributes(spec.attributes());
    return PoolLocks.volume(change(new Change.Clone(operation, spec)), operation);
  }

  @Override
  public VolumeInfo revert(OperationId operation, VolumeId volume, VolumeId snapshot) {
    return reverts.revert(operation, Map.of(volume, snapshot)).getFirst();
  }

  @Override
  public List<VolumeInfo> revert(OperationId operation, Map<VolumeId, VolumeId> snapshots) {
    return reverts.revert(operation, snapshots);
  }

  @Override
  public VolumeInfo resize(OperationId operation, VolumeId id, long sizeInBytes) {
    RequestBounds.size(sizeInBytes);
    return PoolLocks.volume(change(new Change.Resize(operation, id, sizeInBytes)), operation);
  }

  @Override
  public VolumeInfo reserve(OperationId operation, VolumeId id, boolean reserved) {
    return PoolLocks.volume(change(new Change.Reserve(operation, id, reserved)), operation);
  }

  @Override
  public void delete(OperationId operation, VolumeId id) {
    VolumeState volume = pool.state().find(id);
    try (Quiesce _ = new Quiesce(volume, false)) {
      done(change(new Change.Delete(operation, id)), operation);
    }
    if (volume != null && volume.isDeleted()) {
      volume.awaitReads();
    }
  }

  @Override
  public VolumeInfo setAttributes(
      OperationId operation, VolumeId id, Map<String, String> put, Set<String> remove) {
    Change change = new Change.Attributes(operation, id, Map.copyOf(put), Set.copyOf(remove));
    return PoolLocks.volume(change(change), operation);
  }

  @Override
  public long copyDiffs(
      OperationId operation, VolumeId source, VolumeId base, VolumeId destination) {
    if (!housekeeping.storesAccounts()) {
      checkpoint(); // of a pool that did not have stages until now
    }
    return bytes(new DifferenceCopy(pool, queries).run(operation, source, base, destination));
  }

  @Override
  public boolean remembers(OperationId operation) {
    return new OperationLookup(pool, operation).find() != null;
  }

  private static long bytes(OperationResult result) {
    if (result instanceof OperationResult.Bytes(var bytes)) {
      return bytes;
    }
    throw new StorageException.InvalidRequest("The operation id was used by another call.");
  }

  @Override
  public ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSizeInBytes) {
    return queries.allocated(id, segment, chunkSizeInBytes);
  }

  @Override
  public ChunkBitmap unshared(
      VolumeId id, VolumeId base, ByteRange segment, long chunkSizeInBytes) {
    return queries.unshared(id, base, segment, chunkSizeInBytes);
  }

  @Override
  public DifferencePart differences(
      VolumeId id, @Nullable VolumeId base, DifferencePart.Place from, int most) {
    return queries.differences(id, base, from, most);
  }

  @Override
  public Map<VolumeId, VolumeId> bases() {
    return queries.bases();
  }

  @Override
  public VolumeSpace spaceOf(VolumeId id) {
    return queries.spaceOf(id);
  }

  @Override
  public long mappedOf(VolumeId id) {
    return queries.mappedOf(id);
  }

  @Override
  public FreedSpace freedInOrder(Collection<VolumeId> candidates, long enough) {
    return queries.freedInOrder(candidates, enough);
  }

  private OperationResult change(Change change) {
    return locks.submit(change);
  }

  static void done(OperationResult result, OperationId operation) {
    if (!(result instanceof OperationResult.Done)) {
      throw PoolLocks.otherCall(operation);
    }
  }

  @Override
  public void checkpoint() {
    pool.service().check();
    boolean counts = housekeeping.checkpoint(pool.committer()::wake);
    pool.service().check();
    if (!counts) {
      throw new StorageException.OutOfSpace("Expected free zones for a checkpoint, found too few.");
    }
  }

  /// Its parts, for code that looks into them.
  OpenPool parts() {
    return pool;
  }

  /// The work of the cleaner since the open.
  public CleaningReport cleaned() {
    return housekeeping.cleaned();
  }

  /// The memory that maps take.
  public MapMemoryReport maps() {
    NodeCache nodes = pool.state().nodes();
    return new MapMemoryReport(
        nodes.usedBytes(),
        nodes.dirtyBytes(),
        nodes.loads(),
        nodes.committerLoads(),
        nodes.evicted(),
        pool.state().pages().loads());
  }

  /// Waits until nothing is left to reclaim.
  ///
  /// @throws StorageException.DeviceFailed if the pool is closed or has failed
  public void awaitReclaim() {
    housekeeping.awaitReclaim(pool.committer()::wake);
    pool.service().check();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    locks.storeLast();
    pool.service().close(new StorageException.DeviceFailed("The pool is closed."));
    pool.reads().awaitEnd();
    housekeeping.stopCleaner();
    scrubber.stop();
    devices.stop();
    stopSupply();
    housekeeping.checkpoint(pool.committer()::wake); // without it the next open replays the log
    pool.committer().stop(new StorageException.DeviceFailed("The pool is closed."));
    housekeeping.awaitEnd();
    device.close();
  }

  private void stopSupply() {
    if (supply != null) {
      supply.stop();
    }
  }

  /// Stops the threads where they are, without a checkpoint and without closing the device, as a
  /// kill would. For crash tests: the next open of the device recovers.
  public void abandon() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    StorageException.DeviceFailed reason =
        new StorageException.DeviceFailed("The pool was abandoned.");
    pool.service().close(reason);
    housekeeping.abandon();
    pool.committer().abandon(reason);
    housekeeping.stopCleaner();
    scrubber.stop();
    devices.stop();
    stopSupply();
    housekeeping.awaitEnd();
    pool.reads().awaitEnd();
  }
}
