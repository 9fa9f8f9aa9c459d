package io.coppice.iscsi.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A device below the engine whose writes, or reads, can be made to wait.
public final class SlowDevice extends ForwardingDevice {

  private static final long PATIENCE_MS = 60_000;

  // Guarded by this.
  private boolean holding;

  // Guarded by this.
  private boolean holdingReads;

  // Guarded by this.
  private byte marked;

  // Guarded by this.
  private @Nullable Thread markedAt;

  // Guarded by this.
  private long writes;

  public SlowDevice(BlockDevice device) {
    super(device);
  }

  /// Lets no write through from now on.
  ///
  /// @param mark the byte that the data waited for by [#awaitMarked] consists of
  public synchronized void hold(byte mark) {
    holding = true;
    marked = mark;
    markedAt = null;
  }

  /// Lets no read through from now on.
  public synchronized void holdReads() {
    holdingReads = true;
  }

  /// Waits until a write with 512 bytes of the mark has come, and waits here.
  ///
  /// @return the thread that it waits on
  public synchronized Thread awaitMarked() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_MS * 1_000_000;
    while (markedAt == null) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("expected the marked write at the device, it did not come");
      }
      wait(left);
    }
    return markedAt;
  }

  /// Writes that were let through.
  public synchronized long writes() {
    return writes;
  }

  /// Lets everything through.
  public synchronized void release() {
    holding = false;
    holdingReads = false;
    notifyAll();
  }

  private synchronized void pass(List<ByteBuffer> from) {
    if (holding && from.stream().anyMatch(this::isMarked)) {
      markedAt = Thread.currentThread();
      notifyAll();
    }
    await(() -> holding);
    writes++;
  }

  private synchronized void await(BooleanSupplier held) {
    while (held.getAsBoolean()) {
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
  public void read(long offset, ByteBuffer into) {
    await(() -> holdingReads);
    super.read(offset, into);
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    pass(from);
    super.write(offset, from);
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    pass(from);
    super.writeStable(offset, from);
  }
}
