package io.coppice.demo;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSnapshot;
import io.coppice.harness.DiskTransfer;
import io.coppice.harness.WriteLoad;
import java.util.List;
import java.util.function.Supplier;

/// Snapshots, clones and reverts, and what they must not cost: no byte over iSCSI for the disk, no
/// space.
final class Copies {

  private final Meter meter;
  private final long diskBytes;
  private long freeAtFirst = -1;
  private long[] acknowledgedBeforeClone = {};

  /// @param diskBytes size of the guest's disk: space may differ by 1 % of it
  Copies(Meter meter, long diskBytes) {
    this.meter = meter;
    this.diskBytes = diskBytes;
  }

  /// A snapshot of the running machine. Its memory is written by the host, as on any storage; the
  /// rest of the step must move and store nothing.
  VmSnapshot snapshot(Supplier<VmSnapshot> work) {
    VmSnapshot[] taken = {null};
    meter.step(
        "snapshot with memory",
        () -> {
          taken[0] = work.get();
          return Meter.Outcome.NOTHING;
        });
    return taken[0];
  }

  /// A clone of a machine that is off.
  VirtualMachine clone(String name, Supplier<VirtualMachine> work) {
    VirtualMachine[] made = {null};
    long free = meter.container().free();
    Step step =
        meter.step(
            name,
            () -> {
              made[0] = work.get();
              return new Meter.Outcome(made[0].copyWireBytes(), "");
            });
    expectCostless(step, free);
    return made[0];
  }

  /// A clone of a machine that runs and is written to.
  void cloneUnderLoad(WriteLoad load, Supplier<VirtualMachine> work, List<VirtualMachine> clones) {
    long[] before = {0};
    load.start();
    while (load.acknowledgedWrites() < before[0] + 500) {
      Thread.onSpinWait();
    }
    meter.step(
        "clone the VM while it writes",
        () -> {
          acknowledgedBeforeClone = load.acknowledgedNow();
          clones.add(work.get());
          return Meter.Outcome.NOTHING;
        });
    load.stop();
  }

  long[] acknowledgedBeforeClone() {
    return acknowledgedBeforeClone;
  }

  void revert(Runnable work) {
    long free = meter.container().free();
    Step step =
        meter.step(
            "revert to the snapshot",
            () -> {
              work.run();
              return Meter.Outcome.NOTHING;
            });
    Story.require(
        step.container().free() >= free - diskBytes / 100,
        "a revert to take no space from %d free bytes".formatted(free),
        step.container().free());
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

  private void expectCostless(Step step, long freeBefore) {
    Story.require(
        step.operationWireBytes() == 0,
        step.name() + " to move 0 bytes of the disk over iSCSI",
        step.operationWireBytes());
    long taken = freeBefore - step.container().free();
    Story.require(
        Math.abs(taken) <= diskBytes / 100,
        "%s to leave free space unchanged to 1 %% of the disk".formatted(step.name()),
        taken + " bytes taken");
    if (freeAtFirst < 0) {
      freeAtFirst = freeBefore;
    }
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
