package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/// Memory for the engine's buffers that runs out when a test says so, until this is closed. For one
/// test at a time.
public final class ScarceBuffers implements AutoCloseable {

  private final AtomicInteger asked = new AtomicInteger();
  private volatile int from = Integer.MAX_VALUE;
  private volatile int to = Integer.MAX_VALUE;

  public ScarceBuffers() {
    AlignedBuffers.allocateBy(this::allocate);
  }

  /// Buffers that were asked for so far.
  public int asked() {
    return asked.get();
  }

  /// From now on the buffers [first, first + count), counted from 0, cannot be had.
  public void refuse(int first, int count) {
    to = Integer.MAX_VALUE;
    from = asked.get() + first;
    to = (int) Math.min(Integer.MAX_VALUE, (long) from + count);
  }

  /// There is memory again.
  public void relent() {
    from = Integer.MAX_VALUE;
  }

  private ByteBuffer allocate(int size) {
    int number = asked.getAndIncrement();
    if (number >= from && number < to) {
      throw new OutOfMemoryError("Cannot reserve %d bytes of direct buffer memory".formatted(size));
    }
    return ByteBuffer.allocateDirect(size);
  }

  @Override
  public void close() {
    AlignedBuffers.allocateBy(ByteBuffer::allocateDirect);
  }
}
