package io.coppice.vasa.testing;

import io.coppice.engine.Completion;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.engine.testing.ScriptedScrub;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.vasa.alarm.AuditWatch;
import io.coppice.vasa.audit.AuditKey;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditSettings;
import io.coppice.vasa.audit.AuditSpool;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.audit.syslog.SyslogForwarder;
import io.coppice.vasa.audit.syslog.SyslogSettings;
import io.coppice.vasa.binding.BindingChangeSettings;
import io.coppice.vasa.binding.BindingMoves;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.export.temporary.TemporarySettings;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.recovery.Reconciliation;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskSettings;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.bin.BinRounds;
import io.coppice.vasa.volume.bin.BinSettings;
import io.coppice.vasa.volume.bin.BinTimes;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.copy.BackgroundCopies;
import io.coppice.vasa.volume.copy.Bitmaps;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.copy.Comparisons;
import io.coppice.vasa.volume.copy.CopySettings;
import io.coppice.vasa.volume.copy.MomentClones;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.lifecycle.VolumeRecovery;
import io.coppice.vasa.volume.policy.VolumeLimits;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.vasa.volume.snapshot.LockLimit;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import io.coppice.vasa.volume.snapshot.Reverts;
import io.coppice.vasa.volume.snapshot.SafetyCopies;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import io.coppice.vasa.volume.snapshot.SnapshotSettings;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.LockSettings;
import io.coppice.vasa.volume.store.VolumeLocks;
import io.coppice.vasa.volume.store.VolumeStore;
import io.coppice.vasa.volume.timeline.Rewinds;
import io.coppice.vasa.volume.timeline.Timelines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The services of the control plane over a pool and a fresh database, wired by hand.
public final class ControlPlane {

  public static final long MIB = 1L << 20;
  public static final long GIB = 1L << 30;

  /// What is larger is copied behind the call.
  public static final int COPY_IN_CALL = 1 << 20;

  public static final HostId HOST = new HostId("host-1");

  /// Number of the session that prepares snapshots.
  public static final UUID SESSION = UUID.fromString("5e551011-0000-4000-8000-000000000001");

  /// How long tasks that have ended, abandoned snapshots and prepared changes are kept.
  public static final Duration KEPT = Duration.ofHours(24);

  /// How long a prepared snapshot that nobody takes is kept though its session lives.
  public static final Duration LIFETIME = KEPT.multipliedBy(7);

  /// How long a call waits for another change of the same volume.
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final ClockSettings CLOCK =
      new ClockSettings(Duration.ofMinutes(1), Duration.ofHours(24));

  /// Cuts a change short where a test wants it; see [Halts].
  public final Halts steps = new Halts();

  /// The running time that diagnoses see, in nanoseconds.
  public final AtomicLong diagnosed = new AtomicLong();

  private final BinSettings binSettings;

  public final TestClock clock;
  public final StorageEngine engine;
  public final HookedEngine hooks;
  public final ScsiTarget target;
  public final LunDirectory luns;
  public final DataSource database;
  public final JdbcClient jdbc;
  public final TransactionTemplate transactions;
  public final EventLog events;
  public final Containers containers;
  public final VolumeRecovery recovery;
  public final Tasks tasks;

  /// What the provider's own work left for the audit trail.
  public final List<AuditRecord> ownRecords = new CopyOnWriteArrayList<>();

  public final OwnWork ownWork;
  public final VolumeLocks locks = new VolumeLocks(new LockSettings(PATIENCE));
  public final SeenTime time;
  public final VolumeStore store;
  public final SpaceStatistics spaces;
  public final BinTimes binTimes;
  public final RecycleBin bin;
  public final BinRounds binRounds;
  public final VirtualVolumes volumes;
  public final Snapshots snapshots;
  public final Reverts reverts;
  public final LockLimit lockLimit;
  public final LockedSnapshots locked;
  public final WorkGate gate = new WorkGate();
  public final BackgroundCopies copies;
  public final Clones clones;
  public final Timelines timelines;
  public final Rewinds rewinds;
  public final MomentClones momentClones;
  public final VolumeLimits limits;
  public final Profiles profiles;
  public final VolumePolicies policies;
  public final SnapshotSchedules schedules;
  public final TestProtection protection;
  public final TestWatch watch;
  public final PlainHosts plainHosts;
  public final Exports exports;
  public final TemporaryExports temporary;
  public final Bitmaps bitmaps;
  public final Comparisons comparisons;
  public final Bindings bindings;
  public final Endpoints endpoints;
  public final Reconciliation reconciliation;

  /// The recycle bin switched off, as most tests have it: what they delete is gone at once.
  public static final BinSettings NO_BIN = new BinSettings(Duration.ZERO, 0);

  /// The recycle bin as the product has it, but with nothing that goes early by itself.
  public static final BinSettings BIN = new BinSettings(KEPT, 0);

  /// An empty pool of 1 TiB and an empty database.
  public ControlPlane() {
    this(new TestClock(), NO_BIN);
  }

  /// An empty pool and an empty database, with a recycle bin.
  public static ControlPlane withBin(StorageEngine pool, TestClock clock, BinSettings bin) {
    return new ControlPlane(pool, TestDatabase.fresh(), clock, bin);
  }

  /// An empty pool of 1 TiB and this database.
  public ControlPlane(DataSource database) {
    this(database, NO_BIN);
  }

  /// An empty pool of 1 TiB and this database, with a recycle bin.
  public ControlPlane(DataSource database, BinSettings bin) {
    this(database, new TestClock(), bin);
  }

  private ControlPlane(TestClock clock, BinSettings bin) {
    this(TestDatabase.fresh(), clock, bin);
  }

  private ControlPlane(DataSource database, TestClock clock, BinSettings bin) {
    this(new MemoryEngine(1L << 40, clock), database, clock, bin);
  }

  /// What finds damage in the pool.
  public ScriptedScrub damage() {
    return (ScriptedScrub) engine.scrub();
  }

  /// What a restart finds: the same pool and database, everything else new.
  public ControlPlane restarted() {
    return new ControlPlane(engine, database, clock, binSettings);
  }

  /// What is left when the database is lost: the same pool, and an empty database.
  public ControlPlane withoutItsDatabase() {
    return new ControlPlane(engine, TestDatabase.fresh(), clock, binSettings);
  }

  private ControlPlane(
      StorageEngine pool, DataSource database, TestClock clock, BinSettings binSettings) {
    this.binSettings = binSettings;
    this.clock = clock;
    this.engine = pool;
    this.hooks = new HookedEngine(pool);
    StorageEngine hooked = hooks.engine();
    this.target =
        ScsiTarget.open(
            pool, ScsiSettings.defaults().withSecrets(SecretBox.of(new byte[SecretBox.KEY_BYTES])));
    this.luns = target.luns();
    this.database = database;
    jdbc = JdbcClient.create(database);
    transactions = new TransactionTemplate(new JdbcTransactionManager(database));
    events = new EventLog(jdbc, transactions, new EventSettings(1000, 100), clock);
    containers = new Containers(hooked, jdbc, transactions, events, clock, steps);
    ownWork = new OwnWork(ownRecords::add, Duration.ofMinutes(10), clock);
    tasks = new Tasks(jdbc, clock, new TaskSettings(KEPT));
    time = new SeenTime(hooked.records(), clock, clock::nanos, CLOCK);
    store = new VolumeStore(hooked, luns, jdbc, transactions, tasks, locks, clock, time, steps);
    spaces = new SpaceStatistics(store, containers);
    profiles = new Profiles(jdbc, transactions, events, clock);
    binTimes = new BinTimes(containers, binSettings, time);
    bin = new RecycleBin(store, containers, spaces, binTimes);
    binRounds = new BinRounds(store, bin, binTimes, binSettings, ownWork);
    volumes = new VirtualVolumes(store, containers, profiles, spaces, bin);
    snapshots = new Snapshots(store, new SnapshotSettings(KEPT, LIFETIME));
    reverts = new Reverts(store, bin, new SafetyCopies(store, bin));
    lockLimit = new LockLimit(jdbc, transactions, store.changes());
    locked = new LockedSnapshots(store, lockLimit);
    gate.open();
    copies = new BackgroundCopies(store, tasks, gate);
    clones =
        new Clones(store, containers, profiles, spaces, copies, new CopySettings(COPY_IN_CALL));
    timelines = new Timelines(store);
    rewinds = new Rewinds(store, timelines);
    momentClones = new MomentClones(store, containers, spaces, clones, timelines);
    limits = new VolumeLimits(store, target.limits());
    protection = new TestProtection(this);
    policies = new VolumePolicies(store, profiles, containers, spaces, protection.promises);
    schedules = new SnapshotSchedules(store, snapshots, volumes, ownWork);
    watch = new TestWatch(this);
    plainHosts = new PlainHosts(engine, luns, store.changes());
    exports = new Exports(luns, volumes, locks, plainHosts, store.changes(), target.reaches());
    temporary =
        new TemporaryExports(
            exports,
            volumes,
            clones,
            store,
            ownWork,
            new TemporarySettings(Duration.ofHours(8), Duration.ofDays(7), 500),
            steps);
    bitmaps = new Bitmaps(store);
    comparisons = new Comparisons(store);
    bindings = new Bindings(luns, volumes, locks, steps);
    endpoints = new Endpoints(luns, events, transactions, hooked, steps);
    recovery = new VolumeRecovery(store, containers, tasks);
    reconciliation = new Reconciliation(containers, recovery, tasks, events, ownWork);
  }

  /// Announced moves of bindings.
  ///
  /// @param endBindings whether their ends end bindings
  public BindingMoves bindingChanges(boolean endBindings) {
    return new BindingMoves(
        bindings,
        volumes,
        tasks,
        jdbc,
        transactions,
        clock,
        time,
        new BindingChangeSettings(endBindings, KEPT));
  }

  /// A container of 100 GiB.
  public StorageContainer container(String name) {
    return containers.create(name, 100 * GIB);
  }

  /// A thin Data volume without a profile.
  public VolumeId volume(StorageContainer container, long sizeInBytes) {
    return volume(container, sizeInBytes, Map.of("VMW_VVolName", "disk"));
  }

  public VolumeId volume(
      StorageContainer container, long sizeInBytes, Map<String, String> metadata) {
    return made(
        volumes.create(
            new NewVolume(
                container.id(), VolumeType.DATA, VolumeOrigin.HOST, null, sizeInBytes, metadata)));
  }

  /// The volume that a task made.
  public static VolumeId made(VasaTask task) {
    if (task.state() instanceof TaskState.Success(var _, TaskResult.NewVolume(VolumeId volume))) {
      return volume;
    }
    throw new AssertionError("expected a task that made a volume, got " + task);
  }

  /// Takes a snapshot of one volume as a host does, in two steps.
  public VolumeId snapshot(VolumeId volume) {
    VolumeId snapshot = prepared(snapshots.prepare(volume, null, SESSION));
    List<SnapshotOutcome> outcomes =
        snapshots.take(List.of(new Snapshots.Prepared(snapshot, Map.of())), Duration.ofSeconds(10));
    if (!outcomes.equals(List.of(new SnapshotOutcome.Taken(snapshot)))) {
      throw new AssertionError("expected the snapshot to be taken, got " + outcomes);
    }
    return snapshot;
  }

  /// The snapshot that a task prepared.
  public static VolumeId prepared(VasaTask task) {
    if (task.state()
        instanceof TaskState.Success(var _, TaskResult.PreparedSnapshot(VolumeId snapshot))) {
      return snapshot;
    }
    throw new AssertionError("expected a task that prepared a snapshot, got " + task);
  }

  /// Writes `bytes` of one value at an offset of a volume, past all services.
  public void write(VolumeId volume, long offset, int bytes, int value) {
    ByteBuffer data = ByteBuffer.allocateDirect(bytes);
    while (data.hasRemaining()) {
      data.put((byte) value);
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    engine.open(volume).write(offset, data.flip(), completion(done));
    done.join();
  }

  /// The byte at an offset of a volume.
  public int read(VolumeId volume, long offset) {
    ByteBuffer data = ByteBuffer.allocateDirect(512);
    CompletableFuture<Void> done = new CompletableFuture<>();
    engine.open(volume).read(offset - offset % 512, data, completion(done));
    done.join();
    return data.get((int) (offset % 512));
  }

  private static Completion completion(CompletableFuture<Void> done) {
    return new Completion() {
      @Override
      public void succeeded() {
        done.complete(null);
      }

      @Override
      public void failed(StorageException failure) {
        done.completeExceptionally(failure);
      }
    };
  }

  /// Declares [#HOST] and returns the endpoints that it sees.
  public Set<String> declareHost() {
    luns.declareHost(OperationId.random(), HOST, Set.of("iqn.2026-11.test:host-1"));
    return Set.of(luns.endpoints().getFirst().naa());
  }

  /// An audit trail over this pool and database, whose spool is in a folder of its own. It does not
  /// write yet.
  public AuditTrail auditTrail() {
    try {
      return new AuditTrail(
          new AuditTrail.Places(
              jdbc,
              new JdbcTransactionManager(database),
              engine.records(),
              new AuditSpool(TestFolder.fresh(), 1 << 20),
              gate::isOpen),
          AuditKey.of(new byte[AuditKey.BYTES]),
          new AuditSettings(
              Duration.ofDays(30), 100_000, 1 << 20, Duration.ofHours(1), Duration.ofMinutes(10)),
          time,
          clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The watch over a trail that nobody sends to a syslog server.
  public AuditWatch auditWatch() {
    AuditTrail trail = auditTrail();
    SyslogSettings none =
        new SyslogSettings(
            "", SyslogSettings.Transport.TCP, "", 32473, 2048, Duration.ofSeconds(1));
    return new AuditWatch(
        trail, new SyslogForwarder(trail, jdbc, none, "here", gate::isOpen), engine);
  }
}
