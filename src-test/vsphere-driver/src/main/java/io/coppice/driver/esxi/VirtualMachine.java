package io.coppice.driver.esxi;

import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VolumeCalls;
import io.coppice.driver.soap.VvolInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A virtual machine on one host, with the call orders of contract §8.3–8.8.
///
/// The state here is what the host knows: ids and bindings. One thread at a time; I/O to [#disks]
/// may run beside it, except in steps that unbind them.
public final class VirtualMachine {
  private static final Duration TASK_BOUND = Duration.ofMinutes(5);
  private static final long SNAPSHOT_TIMEOUT_MILLIS = 10_000;
  private static final int MEMORY_STEP = 4 << 20;

  private static final int CONFIG_BYTES = 4096;

  /// Bytes that binding one vVol moves over iSCSI: the parameter data of READ CAPACITY (16).
  public static final int BIND_WIRE_BYTES = 32;

  /// Bytes that making a config vVol moves over iSCSI: its bind and what is written to it.
  public static final int CONFIG_WIRE_BYTES = BIND_WIRE_BYTES + CONFIG_BYTES;

  private final EsxiHost host;
  private final VmSpec spec;
  private final String vmId;
  private final String configId;
  private final List<String> diskIds;
  private final List<VmSnapshot> snapshots = new ArrayList<>();
  private @Nullable VvolDisk config;
  private @Nullable VvolDisk swap;
  private List<VvolDisk> disks = List.of();

  private VirtualMachine(
      EsxiHost host, VmSpec spec, String vmId, String configId, List<String> diskIds) {
    this.host = host;
    this.spec = spec;
    this.vmId = vmId;
    this.configId = configId;
    this.diskIds = List.copyOf(diskIds);
  }

  /// §8.3: config vVol, bound and written; its name; one data vVol for each disk; config unbound.
  public static VirtualMachine create(EsxiHost host, VmSpec spec) {
    String vmId = UUID.randomUUID().toString();
    String configId = createConfig(host, spec, vmId);
    List<String> diskIds = new ArrayList<>();
    for (int i = 0; i < spec.diskMb().size(); i++) {
      Map<String, String> metadata =
          metadata(spec, vmId, "Data", spec.name() + (i == 0 ? "" : "_" + i) + ".vmdk");
      diskIds.add(createVvol(host, spec, "Data", spec.diskMb().get(i), metadata, spec.profile()));
    }
    return new VirtualMachine(host, spec, vmId, configId, diskIds);
  }

  private static String createConfig(EsxiHost host, VmSpec spec, String vmId) {
    Map<String, String> metadata = metadata(spec, vmId, "Config", "vm");
    String id = createVvol(host, spec, "Config", spec.configMb(), metadata, spec.profile());
    VvolDisk disk = host.bind(id);
    writeConfig(disk, spec.name());
    host.client().volumes().updateVirtualVolumeMetaData(id, Map.of("VMW_VVolName", spec.name()));
    host.unbind(disk);
    return id;
  }

  /// Stands for the file system and the descriptor files: a recognizable first block.
  private static void writeConfig(VvolDisk disk, String name) {
    ByteBuffer block = ByteBuffer.allocate(CONFIG_BYTES);
    block.put(("displayName = \"" + name + "\"\n").getBytes(StandardCharsets.UTF_8));
    disk.disk().write(0, block.clear());
    disk.disk().sync();
  }

  private static String createVvol(
      EsxiHost host,
      VmSpec spec,
      String type,
      long sizeMb,
      Map<String, String> metadata,
      @Nullable StorageProfile profile) {
    VolumeCalls volumes = host.client().volumes();
    TaskInfo task =
        volumes.createVirtualVolume(spec.containerId(), type, profile, sizeMb, metadata);
    return host.client().tasks().await(task, TASK_BOUND).requireResult();
  }

  private static Map<String, String> metadata(VmSpec spec, String vmId, String type, String name) {
    Map<String, String> pairs = new LinkedHashMap<>();
    pairs.put("VMW_VVolType", type);
    pairs.put("VMW_VVolName", name);
    pairs.put("VMW_VmID", vmId);
    pairs.put("VMW_GosType", "otherLinux64Guest");
    pairs.put("VMW_ContainerId", spec.containerId());
    StorageProfile profile = spec.profile();
    if (profile != null) {
      pairs.put("VMW_VvolProfile", profile.profileId() + ":" + profile.generationId());
    }
    return pairs;
  }

  /// §8.4: binds config and data vVols, creates and binds the swap vVol.
  public void powerOn() {
    if (swap != null) {
      throw new IllegalStateException("expected " + spec.name() + " to be off, it is on");
    }
    config = host.bind(configId);
    String swapId =
        createVvol(host, spec, "Swap", spec.memoryMb(), metadata(spec, vmId, "Swap", "swap"), null);
    swap = host.bind(swapId);
    disks = List.copyOf(host.bind(diskIds));
  }

  /// §8.4: unbinds everything and deletes the swap vVol.
  public void powerOff() {
    unbindDisks();
    VvolDisk oldSwap = swap;
    if (oldSwap != null) {
      host.unbind(oldSwap);
      host.client().volumes().deleteVirtualVolume(oldSwap.vvolId());
      swap = null;
    }
    VvolDisk oldConfig = config;
    if (oldConfig != null) {
      host.unbind(oldConfig);
      config = null;
    }
  }

  /// Binds the data vVols of a machine that is off, for access to its disks.
  public List<VvolDisk> bindDisks() {
    if (disks.isEmpty()) {
      disks = List.copyOf(host.bind(diskIds));
    }
    return disks;
  }

  public void unbindDisks() {
    host.unbind(disks);
    disks = List.of();
  }

  /// §8.5 without memory: each disk is prepared, and one call takes all snapshots.
  public VmSnapshot snapshot(String name) {
    return snapshot(name, null);
  }

  /// §8.5, the second half of a snapshot with memory.
  ///
  /// @param memoryId from [#saveMemory], or null for a snapshot without memory
  public VmSnapshot snapshot(String name, @Nullable String memoryId) {
    List<VvolInfo> prepared = new ArrayList<>();
    for (String diskId : diskIds) {
      TaskInfo task =
          snapshotCalls()
              .prepareToSnapshotVirtualVolume(diskId, spec.profile(), "SnapshotReadOnly");
      var done = host.client().tasks().await(task, TASK_BOUND).prepared();
      if (done == null) {
        throw new IllegalStateException("expected a PrepareSnapshotResult, got none");
      }
      Map<String, String> metadata = metadata(spec, vmId, "Data", spec.name() + "-" + name);
      metadata.put("VMW_VVolParentUUID", diskId);
      prepared.add(new VvolInfo(done.snapshotId(), metadata));
    }
    BatchStatus.requireAllGood(
        snapshotCalls().snapshotVirtualVolume(prepared, SNAPSHOT_TIMEOUT_MILLIS));
    VmSnapshot snapshot =
        new VmSnapshot(name, prepared.stream().map(VvolInfo::vvolId).toList(), memoryId);
    snapshots.add(snapshot);
    return snapshot;
  }

  /// §8.5, the first half of a snapshot with memory: creates, binds, writes and unbinds a memory
  /// vVol. Its content is a pattern that [#checkMemory] knows.
  ///
  /// @return the vVol's id
  public String saveMemory(String name) {
    Map<String, String> metadata = metadata(spec, vmId, "Memory", spec.name() + "-" + name);
    String id = createVvol(host, spec, "Memory", spec.memoryMb(), metadata, null);
    VvolDisk memory = host.bind(id);
    for (long at = 0; at < memory.disk().bytes(); at += MEMORY_STEP) {
      long length = Math.min(MEMORY_STEP, memory.disk().bytes() - at);
      memory.disk().write(at, memoryPattern(at, (int) length));
    }
    memory.disk().sync();
    host.unbind(memory);
    return id;
  }

  private static ByteBuffer memoryPattern(long offset, int length) {
    ByteBuffer pattern = ByteBuffer.allocate(length);
    for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES) {
      pattern.putLong(i, (offset + i) * 0x9E37_79B9_7F4A_7C15L);
    }
    return pattern;
  }

  /// §8.6: unbinds the disks, reverts each, binds them again if they were.
  public void revert(VmSnapshot snapshot) {
    boolean wereBound = !disks.isEmpty();
    unbindDisks();
    for (int i = 0; i < diskIds.size(); i++) {
      TaskInfo task =
          snapshotCalls().revertVirtualVolume(diskIds.get(i), snapshot.diskIds().get(i));
      host.client().tasks().await(task, TASK_BOUND);
    }
    if (wereBound) {
      disks = List.copyOf(host.bind(diskIds));
    }
  }

  /// §8.6, what a resume does: reads the memory vVol of a snapshot and compares it with what
  /// [#saveMemory] wrote.
  ///
  /// @throws IllegalStateException when another content comes, or the snapshot has no memory
  public void checkMemory(VmSnapshot snapshot) {
    String memoryId = snapshot.memoryId();
    if (memoryId == null) {
      throw new IllegalStateException(
          "expected a snapshot with memory, %s has none".formatted(snapshot.name()));
    }
    VvolDisk memory = host.bind(memoryId);
    for (long at = 0; at < memory.disk().bytes(); at += MEMORY_STEP) {
      int length = (int) Math.min(MEMORY_STEP, memory.disk().bytes() - at);
      ByteBuffer came = ByteBuffer.allocate(length);
      memory.disk().read(at, came);
      if (!came.flip().equals(memoryPattern(at, length))) {
        throw new IllegalStateException(
            "expected the memory that was written at %d of %s, got another content"
                .formatted(at, memoryId));
      }
    }
    host.unbind(memory);
  }

  /// §8.7: a full copy. A running machine's disks are snapshot first, and the snapshot is cloned
  /// and then deleted.
  public VirtualMachine cloneFull(String name) {
    if (disks.isEmpty()) {
      return clone(name, diskIds);
    }
    VmSnapshot source = snapshot("for " + name);
    VirtualMachine clone = clone(name, source.diskIds());
    deleteSnapshot(source);
    return clone;
  }

  private VirtualMachine clone(String name, List<String> sources) {
    VmSpec target =
        new VmSpec(
            name,
            spec.containerId(),
            spec.configMb(),
            spec.diskMb(),
            spec.memoryMb(),
            spec.profile());
    String newVmId = UUID.randomUUID().toString();
    String newConfig = createConfig(host, target, newVmId);
    List<String> newDisks = new ArrayList<>();
    for (String source : sources) {
      Map<String, String> metadata = metadata(target, newVmId, "Data", name + ".vmdk");
      TaskInfo task = snapshotCalls().cloneVirtualVolume(source, null, spec.profile(), metadata);
      newDisks.add(host.client().tasks().await(task, TASK_BOUND).requireResult());
    }
    return new VirtualMachine(host, target, newVmId, newConfig, newDisks);
  }

  /// Deletes the vVols of a snapshot; the machine may run.
  public void deleteSnapshot(VmSnapshot snapshot) {
    snapshot.diskIds().forEach(host.client().volumes()::deleteVirtualVolume);
    if (snapshot.memoryId() != null) {
      host.client().volumes().deleteVirtualVolume(snapshot.memoryId());
    }
    snapshots.remove(snapshot);
  }

  /// §8.8: powers off if needed, deletes snapshots and data vVols, then the config vVol.
  public void delete() {
    powerOff();
    for (VmSnapshot snapshot : List.copyOf(snapshots)) {
      deleteSnapshot(snapshot);
    }
    diskIds.forEach(host.client().volumes()::deleteVirtualVolume);
    host.client().volumes().deleteVirtualVolume(configId);
  }

  /// The bound data vVols, empty while the machine is off.
  public List<VvolDisk> disks() {
    return disks;
  }

  public List<String> diskIds() {
    return diskIds;
  }

  /// The id that vCenter gave it.
  public String vmId() {
    return vmId;
  }

  public String name() {
    return spec.name();
  }

  public List<VmSnapshot> snapshots() {
    return List.copyOf(snapshots);
  }

  private SnapshotCalls snapshotCalls() {
    return host.client().snapshots();
  }
}
