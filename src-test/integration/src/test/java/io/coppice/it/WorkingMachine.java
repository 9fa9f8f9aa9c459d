package io.coppice.it;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.scsi.ScsiDisk;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A virtual machine that runs and writes a little, until it is closed or loses its paths. It
/// writes over the same blocks, so that it uses as much space from one moment to the next.
final class WorkingMachine implements AutoCloseable {

  private static final int DISK_MB = 64;
  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;
  private static final long PAUSE_MILLIS = 20;

  private final Thread writer;
  private volatile boolean isOver;

  private WorkingMachine(ScsiDisk disk) {
    writer = Thread.ofPlatform().name("working-machine").daemon().start(() -> write(disk));
  }

  /// Makes a machine of two disks in the container of a site, and turns it on.
  static WorkingMachine start(RegisteredSite site, String name) {
    VmSpec spec =
        new VmSpec(name, site.container(), 4, List.of((long) DISK_MB, (long) DISK_MB), 16, null);
    VirtualMachine machine = VirtualMachine.create(site.host(), spec);
    machine.powerOn();
    return new WorkingMachine(machine.disks().getFirst().disk());
  }

  private void write(ScsiDisk disk) {
    Random random = new Random(1);
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    try {
      disk.write(0, ByteBuffer.allocate(BLOCKS * BLOCK));
      while (!isOver) {
        block.clear().putLong(0, random.nextLong());
        disk.write((long) random.nextInt(BLOCKS) * BLOCK, block);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Tests of portals take its paths away. Nobody looks at its load after that.
    }
  }

  @Override
  public void close() {
    isOver = true;
    writer.interrupt();
  }
}
