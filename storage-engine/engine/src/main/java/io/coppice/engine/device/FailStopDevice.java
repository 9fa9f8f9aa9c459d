package io.coppice.engine.device;

import io.coppice.engine.thread.Uninterrupted;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A device whose first failed write or sync is its last. Every later one fails with the same
/// reason, and so does a sync that was under way. It can still be read. Safe for any thread.
///
/// A system reports the failure of a sync once. The next sync, from another thread, would succeed,
/// although its writes are lost. That thread might act on it before the one that heard of the
/// failure has left the device out. So a sync succeeds only when each call that may have taken the
/// failure from it has ended without one.
///
/// [DeviceException.NoSpace] is no failure.
public final class FailStopDevice extends ForwardingDevice {

  /// Calls under way, in two phases. A sync begins the next phase, and waits for the end of earlier
  /// calls.
  private final int[] under = new int[2]; // guarded by itself

  private int phase; // guarded by `under`; 0 or 1: that of calls that begin now
  private volatile @Nullable DeviceException failure;

  public FailStopDevice(BlockDevice device) {
    super(device);
  }

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    int began = enter();
    try {
      device.write(offset, from);
    } catch (DeviceException e) {
      throw failed(e);
    } finally {
      leave(began);
    }
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    int began = enter();
    try {
      device.writeStable(offset, from);
    } catch (DeviceException e) {
      throw failed(e);
    } finally {
      leave(began);
    }
  }

  /// As [BlockDevice#sync], and waits for the calls that were under way when it was done. Later
  /// calls are not delayed.
  @Override
  public void sync() {
    int began = enter();
    try {
      device.sync();
    } catch (DeviceException e) {
      throw failed(e);
    } finally {
      leave(began);
    }
    awaitEarlier();
    requireNoFailure();
  }

  /// Before the call has ended for those who wait for it.
  private DeviceException failed(DeviceException reason) {
    if (failure == null) {
      failure = DeviceException.failure(reason);
    }
    return reason;
  }

  private int enter() {
    requireNoFailure();
    synchronized (under) {
      under[phase]++;
      return phase;
    }
  }

  private void leave(int began) {
    synchronized (under) {
      if (--under[began] == 0) {
        under.notifyAll();
      }
    }
  }

  /// One at a time, so that no call is under way in the phase that begins.
  private synchronized void awaitEarlier() {
    synchronized (under) {
      int earlier = phase;
      phase = 1 - phase;
      Uninterrupted.await(
          () -> {
            while (under[earlier] > 0) {
              under.wait();
            }
          });
    }
  }

  private void requireNoFailure() {
    DeviceException before = failure;
    if (before != null) {
      throw new DeviceException("the device has failed before: " + before.getMessage(), before);
    }
  }

  @Override
  public @Nullable ReadQueue readQueue() {
    return device.readQueue();
  }
}
