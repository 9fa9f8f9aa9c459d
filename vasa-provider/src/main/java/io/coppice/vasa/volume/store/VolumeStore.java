package io.coppice.vasa.volume.store;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.Binning;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// The store that the services of `vasa.volume` share: pool, rows, locks and the log of operations.
@Component
public final class VolumeStore {

  private final StorageEngine engine;
  private final LunDirectory luns;
  private final VolumeRepository rows;
  private final BinRepository bin;
  private final OrphanRepository orphans;
  private final ListRepository lists;
  private final NameSearch names;
  private final ScheduleRepository schedules;
  private final OperationLog log;
  private final ChangeLog changes;
  private final VolumeLocks locks;
  private final Set<VolumeId> marked = ConcurrentHashMap.newKeySet();
  private final Map<OperationId, VolumeOperation> copies = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final SeenTime time;

  public VolumeStore(
      StorageEngine engine,
      LunDirectory luns,
      JdbcClient jdbc,
      TransactionOperations transactions,
      Tasks tasks,
      VolumeLocks locks,
      InstantSource clock,
      SeenTime time,
      StepObserver observer) {
    this.engine = engine;
    this.luns = luns;
    this.rows = new VolumeRepository(jdbc);
    this.bin = new BinRepository(jdbc, rows);
    this.orphans = new OrphanRepository(jdbc, rows);
    this.lists = new ListRepository(jdbc);
    this.names = new NameSearch(jdbc);
    this.schedules = new ScheduleRepository(jdbc);
    this.log = new OperationLog(jdbc, tasks, transactions, clock, observer);
    this.changes = new ChangeLog(jdbc, clock);
    this.locks = locks;
    this.clock = clock;
    this.time = time;
  }

  public StorageEngine engine() {
    return engine;
  }

  public VolumeRepository rows() {
    return rows;
  }

  /// What is in the recycle bin.
  public BinRepository bin() {
    return bin;
  }

  /// What nobody seems to need any more.
  public OrphanRepository orphans() {
    return orphans;
  }

  public ListRepository lists() {
    return lists;
  }

  /// What is found by parts of names.
  public NameSearch names() {
    return names;
  }

  public ScheduleRepository schedules() {
    return schedules;
  }

  public OperationLog log() {
    return log;
  }

  /// The history, into which changes of volumes are written in their own transactions.
  public ChangeLog changes() {
    return changes;
  }

  public VolumeLocks locks() {
    return locks;
  }

  /// Copies of differences that go on behind their calls.
  public Map<OperationId, VolumeOperation> copies() {
    return copies;
  }

  /// @throws VasaException (ResourceInUse) while a copy of differences writes to it
  public void checkNotCopiedTo(VolumeId id) {
    if (isCopiedTo(id)) {
      throw copying(id);
    }
  }

  public boolean isCopiedTo(VolumeId id) {
    return copies.values().stream().anyMatch(copy -> copy.volume().equals(id));
  }

  public VasaException copying(VolumeId id) {
    return new VasaException(
        new Fault.ResourceInUse(),
        "a copy of differences goes on with virtual volume %s".formatted(id));
  }

  /// The time that has passed. It judges everything that gets old or is due.
  public SeenTime time() {
    return time;
  }

  /// The present moment of [#time], in the precision of the database.
  public Instant seen() {
    return time.now().truncatedTo(ChronoUnit.MICROS);
  }

  /// The machine's clock, in the precision of the database.
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /// @throws VasaException (NotFound) if it is unknown or still being made
  public VirtualVolume require(VolumeId id) {
    return require(id, rows.find(id));
  }

  private static VirtualVolume require(VolumeId id, Optional<VirtualVolume> row) {
    return row.filter(volume -> volume.state() != VvolState.CREATING)
        .orElseThrow(() -> VasaException.notFound("there is no virtual volume " + id));
  }

  /// @throws VasaException (NotFound) also if it is only prepared
  public VirtualVolume requireReady(VolumeId id) {
    return requireReady(id, rows.find(id));
  }

  /// Checks rows that were read, as [#requireReady] does.
  public void checkReady(VolumeId id, Map<VolumeId, VirtualVolume> rows) {
    requireReady(id, Optional.ofNullable(rows.get(id)));
  }

  private static VirtualVolume requireReady(VolumeId id, Optional<VirtualVolume> row) {
    VirtualVolume volume = require(id, row);
    if (volume.state() != VvolState.READY) {
      throw VasaException.notFound("snapshot %s is prepared, but not taken".formatted(id));
    }
    return volume;
  }

  /// @throws VasaException (NotFound) as [#requireReady]; (NotSupported) if it is a snapshot
  public VirtualVolume requireWritable(VolumeId id) {
    return requireWritable(id, rows.find(id));
  }

  private static VirtualVolume requireWritable(VolumeId id, Optional<VirtualVolume> row) {
    VirtualVolume volume = requireReady(id, row);
    if (volume.snapshot()) {
      throw new VasaException(
          new Fault.NotSupported(),
          "expected a virtual volume that can be written to, but %s is a snapshot".formatted(id));
    }
    return volume;
  }

  /// A volume of which snapshots may be taken: the one check for all ways to one.
  ///
  /// @throws VasaException as [#requireWritable]; (ResourceInUse) while a copy of differences
  ///   writes to it, because a snapshot would have a part of it; the caller holds its lock
  public VirtualVolume requireSnapshottable(VolumeId id) {
    return requireSnapshottable(List.of(id)).getFirst();
  }

  /// Several such volumes in their order, with one look at their rows.
  public List<VirtualVolume> requireSnapshottable(List<VolumeId> ids) {
    Map<VolumeId, VirtualVolume> found = new HashMap<>();
    rows.find(ids).forEach(volume -> found.put(volume.id(), volume));
    List<VirtualVolume> volumes = new ArrayList<>();
    for (VolumeId id : ids) {
      volumes.add(requireWritable(id, Optional.ofNullable(found.get(id))));
      checkNotCopiedTo(id);
    }
    return volumes;
  }

  /// @throws VasaException (ResourceInUse) if it is bound or exported, commands of hosts that lost
  ///   it have not ended, or a copy of differences goes on from or onto it; the caller holds its
  ///   lock
  public void checkUnused(VolumeId id) {
    checkUnbound(id);
    if (luns.exportOf(id).isPresent()) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a virtual volume that is not exported, but %s is".formatted(id));
    }
    if (luns.isBeingLeft(id)) { // an old write must not come out over what follows
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a virtual volume without commands under way, but those of hosts that lost %s"
                  .formatted(id)
              + " have not ended yet");
    }
  }

  /// A volume or snapshot that may be deleted: the one check before all deletions. The engine keeps
  /// a locked snapshot whatever is forgotten here.
  ///
  /// @throws VasaException (ResourceInUse) as [#checkUnused], if it is a locked snapshot, or if one
  ///   of its snapshots is locked; the caller holds its lock
  public void checkDeletable(VirtualVolume volume) {
    VolumeId id = volume.id();
    checkUnused(id);
    lockedUntil(id)
        .ifPresent(
            until -> {
              throw locked(
                  "snapshot %s is locked until %s: nobody can delete it before"
                      .formatted(id, until),
                  until);
            });
    List<VolumeId> snapshots = volume.snapshot() ? List.of() : rows.snapshotIds(id);
    for (VolumeId snapshot : snapshots) {
      lockedUntil(snapshot)
          .ifPresent(
              until -> {
                throw locked(
                    "expected a volume without locked snapshots, but snapshot %s of %s is locked until %s"
                        .formatted(snapshot, id, until),
                    until);
              });
    }
  }

  private static VasaException locked(String message, Instant until) {
    return FaultTranslation.of(new StorageException.Locked(message, until));
  }

  /// The end of a snapshot's lock, by the lock time of the pool; absent if it is not locked now.
  public Optional<Instant> lockedUntil(VolumeId id) {
    return engine.find(id).flatMap(engine.locks()::lockedUntil);
  }

  private void checkUnbound(VolumeId id) {
    if (copies.values().stream().anyMatch(copy -> copy.concerns(id))) {
      throw copying(id);
    }
    int bindings = luns.bindingsOf(id).size();
    if (bindings > 0) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected an unbound virtual volume, but %s is bound to %d host(s)"
              .formatted(id, bindings));
    }
  }

  /// Holds initiators off a volume whose content is replaced, exported or not
  /// ([LunDirectory#suspend]). The caller holds its lock.
  ///
  /// @throws VasaException (ResourceInUse) if it is bound, an initiator of its export has a
  ///   session, commands of those that lost it have not ended, or a copy of differences goes on
  ///   from or onto it
  public LunDirectory.Suspension suspend(VolumeId id) {
    checkUnbound(id);
    return FaultTranslation.translated(() -> luns.suspend(id));
  }

  /// As [#suspend], several volumes: all of them or none.
  public LunDirectory.Suspension suspendAll(List<VolumeId> ids) {
    List<LunDirectory.Suspension> held = new ArrayList<>();
    LunDirectory.Suspension all = () -> held.forEach(LunDirectory.Suspension::close);
    try {
      ids.forEach(id -> held.add(suspend(id)));
      return all;
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
  }

  /// Whether [#checkDeletable] would refuse a snapshot now, unless that changes meanwhile.
  public boolean isUsed(VolumeId id) {
    return lockedUntil(id).isPresent()
        || copies.values().stream().anyMatch(copy -> copy.concerns(id))
        || !luns.bindingsOf(id).isEmpty()
        || luns.exportOf(id).isPresent()
        || luns.isBeingLeft(id);
  }

  /// The steps of an operation that makes one volume.
  ///
  /// @param change what is written to the history
  public OperationLog.Steps<VolumeInfo> making(
      VirtualVolume draft,
      OperationId operation,
      Supplier<VolumeInfo> engineCall,
      NewChange change) {
    return new OperationLog.Steps<>(
        () -> rows.insert(draft, operation),
        engineCall,
        info -> {
          refresh(info);
          changes.append(change);
        },
        () -> rows.delete(draft.id()));
  }

  /// Volumes that name the operation that made them, even if it has ended since.
  public Set<VolumeId> marked() {
    return marked;
  }

  /// Moves the snapshot schedule of a volume to the grid of its present machine.
  public void moveToGridOf(VolumeInfo info) {
    schedules.move(info.id(), SnapshotGrid.owner(info.id(), PoolAttributes.metadata(info)), seen());
  }

  /// Makes the row match the pool, and gives the volume the schedule that it requires. In the
  /// recycle bin it has none; out of use it keeps the one that it has.
  public void refresh(VolumeInfo info) {
    if (ReplicaAttributes.isCarrier(info)) {
      hide(info);
      return;
    }
    rows.ready(
        info.id(),
        info.sizeInBytes(),
        info.reserved(),
        info.created().truncatedTo(ChronoUnit.MICROS));
    if (PoolAttributes.marked(info)) {
      marked.add(info.id());
    }
    Optional<Binning> binning = PoolAttributes.binning(info);
    if (binning.isPresent()) {
      bin.put(info.id(), binning.get());
    } else if (info.kind() == VolumeKind.WRITABLE) {
      String owner = SnapshotGrid.owner(info.id(), PoolAttributes.metadata(info));
      schedules.apply(info.id(), owner, PoolAttributes.requirements(info), seen());
    }
  }

  /// Takes the row of a volume out of sight that the pool hides. That of a carrier stays, out of
  /// use: when replication gives the volume back, all that belongs to it is there again.
  public void hide(VolumeInfo info) {
    if (!ReplicaAttributes.isCarrier(info) || !rows.carry(info.id())) {
      rows.delete(info.id());
    }
  }
}
