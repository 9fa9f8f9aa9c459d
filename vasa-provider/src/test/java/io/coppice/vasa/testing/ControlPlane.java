package io.coppice.vasa.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.HostId;
import io.coppice.scsi.LunDirectory;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.task.Task;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.NewVolume;
import io.coppice.vasa.volume.Spaces;
import io.coppice.vasa.volume.VirtualVolumes;
import io.coppice.vasa.volume.VolumeLocks;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeStore;
import io.coppice.vasa.volume.VolumeType;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The services of the control plane over a pool and a fresh database, wired by hand.
public final class ControlPlane {

  public static final long MIB = 1L << 20;
  public static final long GIB = 1L << 30;
  public static final HostId HOST = new HostId("host-1");

  public final TestClock clock = new TestClock();
  public final StorageEngine engine;
  public final LunDirectory luns;
  public final DataSource database;
  public final JdbcClient jdbc;
  public final TransactionTemplate transactions;
  public final Containers containers;
  public final Tasks tasks;
  public final VolumeLocks locks = new VolumeLocks();
  public final VolumeStore store;
  public final Spaces spaces;
  public final VirtualVolumes volumes;
  public final Bindings bindings;

  /// An empty pool of 1 TiB and an empty database.
  public ControlPlane() {
    this(new MemoryEngine(), TestDatabase.fresh());
  }

  private ControlPlane(StorageEngine engine, DataSource database) {
    this(engine, new MemoryLuns(engine), database);
  }

  /// What a restart finds: the same pool and database, everything else new.
  public ControlPlane restarted() {
    return new ControlPlane(engine, luns, database);
  }

  public ControlPlane(StorageEngine engine, LunDirectory luns, DataSource database) {
    this.engine = engine;
    this.luns = luns;
    this.database = database;
    jdbc = JdbcClient.create(database);
    transactions = new TransactionTemplate(new JdbcTransactionManager(database));
    containers = new Containers(jdbc, clock);
    tasks = new Tasks(jdbc, clock);
    store = new VolumeStore(engine, luns, jdbc, transactions, tasks, locks, clock);
    spaces = new Spaces(store, containers);
    volumes = new VirtualVolumes(store, containers, spaces);
    bindings = new Bindings(luns, volumes, locks, jdbc, clock);
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
  public static VolumeId made(Task task) {
    if (task.state() instanceof TaskState.Success(var _, TaskResult.NewVolume(VolumeId volume))) {
      return volume;
    }
    throw new AssertionError("expected a task that made a volume, got " + task);
  }

  /// Declares [#HOST] and returns the endpoints that it sees.
  public Set<String> declareHost() {
    luns.declareHost(OperationId.random(), HOST, Set.of("iqn.2026-11.test:host-1"));
    return Set.of(luns.endpoints().getFirst().naa());
  }
}
