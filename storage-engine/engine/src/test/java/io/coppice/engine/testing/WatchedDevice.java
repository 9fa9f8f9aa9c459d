package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Notes who calls a device, and writes of the log that meet another one: it has one writer at a
/// time.
public final class WatchedDevice extends ForwardingDevice {

  private final long logFrom;
  private final Set<String> writers = ConcurrentHashMap.newKeySet();
  private final Set<String> readers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger overlaps = new AtomicInteger();
  private volatile boolean dawdles;
  private volatile boolean closed;

  /// @param logFrom where the zones begin: what is written before, a checkpoint's superblock, may
  ///   meet a batch
  public WatchedDevice(BlockDevice device, long logFrom) {
    super(device);
    this.logFrom = logFrom;
  }

  /// Names of the threads that wrote the log.
  public Set<String> writers() {
    return Set.copyOf(writers);
  }

  /// Names of the threads that read.
  public Set<String> readers() {
    return Set.copyOf(readers);
  }

  /// Forgets the names.
  public void forget() {
    writers.clear();
    readers.clear();
  }

  /// Writes of the log that began while another one was under way.
  public int overlaps() {
    return overlaps.get();
  }

  /// Lets other threads run in the middle of each write of the log.
  public void dawdle() {
    dawdles = true;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    readers.add(Thread.currentThread().getName());
    super.read(offset, into);
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    if (offset < logFrom) {
      super.writeStable(offset, from);
      return;
    }
    writers.add(Thread.currentThread().getName());
    if (inside.incrementAndGet() > 1) {
      overlaps.incrementAndGet();
    }
    try {
      if (dawdles) {
        Thread.yield();
      }
      super.writeStable(offset, from);
    } finally {
      inside.decrementAndGet();
    }
  }

  @Override
  public void close() {
    closed = true;
    super.close();
  }
}
