package io.coppice.iscsi.testing;

import io.coppice.engine.device.BlockDevice;
import java.nio.ByteBuffer;
import java.util.List;

/// A device below the engine whose writes can be made to wait.
public final class SlowDevice implements BlockDevice {

  private static final long PATIENCE_MS = 60_000;

  private final BlockDevice device;

  // Guarded by this.
  private boolean holding;

  // Guarded by this.
  private byte marked;

  // Guarded by this.
  private boolean markedArrived;

  public SlowDevice(BlockDevice device) {
    this.device = device;
  }

  /// Lets no write through from now on.
  ///
  /// @param mark the byte that the data waited for by [#awaitMarked] consists of
  public synchronized void hold(byte mark) {
    holding = true;
    marked = mark;
    markedArrived = false;
  }

  /// Waits until a write with 512 bytes of the mark has come, and waits here.
  public synchronized void awaitMarked() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_MS * 1_000_000;
    while (!markedArrived) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("expected the marked write at the device, it did not come");
      }
      wait(left);
    }
  }

  /// Lets all writes through.
  public synchronized void release() {
    holding = false;
    notifyAll();
  }

  private synchronized void pass(List<ByteBuffer> from) {
    if (holding && from.stream().anyMatch(this::isMarked)) {
      markedArrived = true;
      notifyAll();
    }
    while (holding) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  // Guarded by this.
  private boolean isMarked(ByteBuffer bytes) {
    int run = 0;
    for (int at = bytes.position(); at < bytes.limit(); at++) {
      run = bytes.get(at) == marked ? run + 1 : 0;
      if (run == 512) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long sizeInBytes() {
    return device.sizeInBytes();
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    device.read(offset, into);
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    pass(from);
    device.write(offset, from);
  }

  @Override
  public void sync() {
    device.sync();
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    pass(from);
    device.writeStable(offset, from);
  }

  @Override
  public void close() {
    device.close();
  }
}
