package io.coppice.load;

import io.coppice.driver.soap.VvolHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// A virtual machine under load: a config vVol, one or two disks, a swap vVol while it runs, up to
/// a few snapshots. Not safe for several threads.
final class LoadedMachine {

  static final int MOST_SNAPSHOTS = 4;

  private static final long CONFIG_MB = 4096;
  private static final long DISK_MB = 64;
  private static final AtomicInteger STAMPS = new AtomicInteger();

  private final String container;
  private final String name;
  private final String vmId = UUID.randomUUID().toString();
  private final String config;
  private final List<LoadedHost.Disk> disks;
  private final List<List<LoadedHost.Disk>> snapshots = new ArrayList<>();
  private final List<VvolHandle> bound = new ArrayList<>();
  private String swap = "";
  private int made;

  private LoadedMachine(LoadedHost host, String container, String name) {
    this.container = container;
    this.name = name;
    this.config = host.create(container, "Config", CONFIG_MB, metadata("Config", "config"));
    this.disks = new ArrayList<>();
  }

  /// Makes one: config, bound, named and unbound; then its disks.
  static LoadedMachine create(LoadedHost host, String container, String name, int disks) {
    LoadedMachine machine = withConfig(host, container, name);
    for (int i = 0; i < disks; i++) {
      String id = host.create(container, "Data", DISK_MB, machine.metadata("Data", "disk" + i));
      machine.disks.add(new LoadedHost.Disk(id, 0));
    }
    return machine;
  }

  private static LoadedMachine withConfig(LoadedHost host, String container, String name) {
    LoadedMachine machine = new LoadedMachine(host, container, name);
    VvolHandle handle = host.bind(machine.config);
    if (host.hasSession()) {
      host.readThenWrite(handle, 0, STAMPS.incrementAndGet());
    }
    host.putMetadata(machine.config, Map.of("VMW_GosType", "otherLinux64Guest"));
    host.unbind(handle);
    return machine;
  }

  /// A machine with copies of the disks: of a snapshot taken for it, or of this machine's disks if
  /// it is off.
  LoadedMachine clone(LoadedHost host, String cloneName, boolean linked) {
    LoadedMachine clone = withConfig(host, container, cloneName);
    boolean ofSnapshot = linked || runs();
    List<LoadedHost.Disk> source = ofSnapshot ? takeSnapshot(host) : disks;
    for (int i = 0; i < source.size(); i++) {
      String id = host.clone(source.get(i).id(), linked, clone.metadata("Data", "disk" + i));
      clone.disks.add(new LoadedHost.Disk(id, source.get(i).stamp()));
    }
    if (ofSnapshot) {
      source.forEach(each -> host.delete(each.id()));
    }
    return clone;
  }

  /// Metadata of a vVol of this machine, whose name nobody else has.
  private Map<String, String> metadata(String type, String part) {
    return Map.of(
        "VMW_VVolType", type,
        "VMW_VVolName", "%s-%s-%s-%d".formatted(name, vmId, part, made++),
        "VMW_VmID", vmId,
        "VMW_ContainerId", container);
  }

  boolean runs() {
    return !bound.isEmpty();
  }

  boolean hasSnapshots() {
    return !snapshots.isEmpty();
  }

  void powerOn(LoadedHost host) {
    bound.add(host.bind(config));
    swap = host.create(container, "Swap", DISK_MB, metadata("Swap", "swap"));
    bound.add(host.bind(swap));
    for (int i = 0; i < disks.size(); i++) {
      LoadedHost.Disk disk = disks.get(i);
      VvolHandle handle = host.bind(disk.id());
      bound.add(handle);
      if (host.hasSession()) {
        int next = STAMPS.incrementAndGet();
        host.readThenWrite(handle, disk.stamp(), next);
        disks.set(i, disk.stamped(next));
      }
    }
  }

  void powerOff(LoadedHost host) {
    for (VvolHandle handle : List.copyOf(bound)) {
      host.unbind(handle);
    }
    bound.clear();
    host.delete(swap);
  }

  /// Takes a snapshot, and deletes the oldest one if there are too many.
  void snapshot(LoadedHost host) {
    snapshots.add(takeSnapshot(host));
    if (snapshots.size() > MOST_SNAPSHOTS) {
      snapshots.removeFirst().forEach(disk -> host.delete(disk.id()));
    }
  }

  private List<LoadedHost.Disk> takeSnapshot(LoadedHost host) {
    List<String> ids =
        host.snapshot(
            disks.stream().map(LoadedHost.Disk::id).toList(), metadata("Data", "snapshot"));
    List<LoadedHost.Disk> taken = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      taken.add(new LoadedHost.Disk(ids.get(i), disks.get(i).stamp()));
    }
    return taken;
  }

  void revert(LoadedHost host) {
    List<LoadedHost.Disk> to = snapshots.getLast();
    for (int i = 0; i < disks.size(); i++) {
      host.revert(disks.get(i).id(), to.get(i).id());
      disks.set(i, disks.get(i).stamped(to.get(i).stamp()));
    }
  }

  void delete(LoadedHost host) {
    snapshots.forEach(taken -> taken.forEach(disk -> host.delete(disk.id())));
    disks.forEach(disk -> host.delete(disk.id()));
    host.delete(config);
  }
}
