package io.coppice.it;

import io.coppice.driver.esxi.VvolDisk;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A virtual machine with a snapshot whose host reads, writes, zeroes and asks the provider, again
/// and again in a thread of its own until it is closed.
final class MachineAtWork implements AutoCloseable {

  private static final int BLOCK = 4096;
  private static final int SPAN = 64;

  private final RegisteredSite site;
  private final VvolDisk disk;
  private final Thread thread;
  private final CountDownLatch round = new CountDownLatch(1);
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private volatile boolean closed;

  private MachineAtWork(RegisteredSite site) {
    this.site = site;
    site.create("Config", 4096, Map.of("VMW_VmID", "vm-monitored", "VMW_VVolName", "monitored"));
    String id =
        site.create("Data", 16, Map.of("VMW_VmID", "vm-monitored", "VMW_VVolName", "its \"disk\""));
    disk = site.host().bind(id);
    write(0);
    site.snapshot(id);
    thread = Thread.ofPlatform().name("machine-at-work").start(this::run);
  }

  static MachineAtWork start(RegisteredSite site) {
    return new MachineAtWork(site);
  }

  private void run() {
    try {
      for (int i = 0; !closed; i++) {
        write(i % SPAN);
        disk.disk().read((long) (i % SPAN) * BLOCK, ByteBuffer.allocate(BLOCK));
        disk.unit().zero(1024, 8, true);
        site.host().client().inventory().queryArrays(java.util.List.of());
        round.countDown();
      }
    } catch (RuntimeException e) {
      failure.set(e);
      round.countDown();
    }
  }

  private void write(int block) {
    disk.disk().write((long) block * BLOCK, ByteBuffer.allocate(BLOCK).put(0, (byte) 1));
  }

  /// Waits until everything was done once.
  void awaitRound() {
    try {
      round.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw new AssertionError("the machine's host failed", failed);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    site.host().unbind(disk);
  }
}
