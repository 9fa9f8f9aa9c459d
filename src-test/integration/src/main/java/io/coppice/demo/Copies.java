package io.coppice.demo;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSnapshot;
import io.coppice.harness.DiskTransfer;
import io.coppice.harness.WriteLoad;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Snapshots, clones and reverts, and what they must not cost: no byte over iSCSI, no space.
final class Copies {

  /// Writes that the load must have made before the clone and after it.
  private static final int WRITES_AROUND = 500;

  private final Meter meter;
  private final long diskBytes;
  private long[] acknowledgedBeforeClone = {};

  /// @param diskBytes size of the guest's disk: space may differ by 1 % of it
  Copies(Meter meter, long diskBytes) {
    this.meter = meter;
    this.diskBytes = diskBytes;
  }

  /// A snapshot of the running machine, whose memory was saved before.
  VmSnapshot snapshot(Supplier<VmSnapshot> work) {
    VmSnapshot[] taken = {null};
    costless(
        "snapshot",
        0,
        () -> {
          taken[0] = work.get();
          return 0;
        });
    return taken[0];
  }

  /// A clone of a machine that is off.
  VirtualMachine clone(String name, Supplier<VirtualMachine> work) {
    VirtualMachine[] made = {null};
    costless(
        name,
        0,
        () -> {
          made[0] = work.get();
          return VirtualMachine.CONFIG_WIRE_BYTES;
        });
    return made[0];
  }

  /// A clone of a machine that runs and is written to. The load begins and ends inside the step, so
  /// that its bytes are known exactly.
  VirtualMachine cloneUnderLoad(WriteLoad load, Supplier<VirtualMachine> work) {
    VirtualMachine[] made = {null};
    costless(
        "clone the VM while it writes",
        load.regionBytes(),
        () -> {
          long before = load.acknowledgedWrites();
          load.start();
          load.await(before + WRITES_AROUND);
          acknowledgedBeforeClone = load.acknowledgedNow();
          made[0] = work.get();
          load.await(load.acknowledgedWrites() + WRITES_AROUND);
          load.stop();
          Story.require(!load.wasCutOff(), "the load to go on beside the clone", "it was cut off");
          return VirtualMachine.CONFIG_WIRE_BYTES
              + load.bytesOf(load.acknowledgedWrites() - before);
        });
    return made[0];
  }

  /// The numbers that the load had been acknowledged before the clone was asked for.
  long[] acknowledgedBeforeClone() {
    return acknowledgedBeforeClone;
  }

  /// A revert of the running machine, whose host binds the disks again.
  ///
  /// @param givenUp bytes written since the snapshot that nothing else holds: they may come back
  void revert(VirtualMachine machine, VmSnapshot snapshot, long givenUp) {
    costless(
        "revert to the snapshot",
        givenUp,
        () -> {
          machine.revert(snapshot);
          return (long) machine.disks().size() * VirtualMachine.BIND_WIRE_BYTES;
        });
  }

  /// After everything was deleted the container must be as empty as it was before the first
  /// machine.
  void expectSpaceBack(long slackBytes) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    Step.ContainerState container = meter.container();
    while (container.used() > slackBytes && System.nanoTime() < deadline) {
      container = meter.container();
    }
    Story.require(container.vms() == 0, "no virtual machine after the deletion", container.vms());
    Story.require(
        container.used() <= slackBytes, "the space back after the deletion", container.used());
  }

  /// Runs a copy and holds it to its promise.
  ///
  /// @param written bytes of space that the machine's own writes in or since may take or give back
  /// @param work the copy; returns the bytes over iSCSI that are not its own
  private void costless(String name, long written, LongSupplier work) {
    long free = meter.container().free();
    Step step = meter.step(name, () -> Meter.Outcome.copy(work.getAsLong()));
    long copied = step.copyWireBytes().orElseThrow();
    Story.require(copied == 0, name + " to move 0 bytes of the disk over iSCSI", copied);
    long taken = free - step.container().free();
    Story.require(
        Math.abs(taken) <= diskBytes / 100 + written,
        "%s to leave free space unchanged to 1 %% of the disk%s"
            .formatted(
                name, written == 0 ? "" : " and the %d bytes written beside it".formatted(written)),
        taken + " bytes taken");
  }

  /// SHA-256 of a machine's first disk; binds it for the time.
  static String digestOf(VirtualMachine machine, long sizeInBytes) {
    machine.bindDisks();
    try {
      return DiskTransfer.sha256(machine.disks().getFirst().unit(), sizeInBytes);
    } finally {
      machine.unbindDisks();
    }
  }
}
