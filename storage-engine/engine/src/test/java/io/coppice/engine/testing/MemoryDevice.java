package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import java.nio.ByteBuffer;
import java.util.List;

/// A device that is an array: everything is stable at once, and no call allocates anything.
public final class MemoryDevice implements BlockDevice {

  private final byte[] bytes;

  public MemoryDevice(byte[] bytes) {
    this.bytes = bytes;
  }

  public synchronized byte[] copy() {
    return bytes.clone();
  }

  @Override
  public long sizeInBytes() {
    return bytes.length;
  }

  @Override
  public synchronized void read(long offset, ByteBuffer into) {
    into.put(bytes, Math.toIntExact(offset), into.remaining());
  }

  @Override
  public synchronized void write(long offset, List<ByteBuffer> from) {
    int at = Math.toIntExact(offset);
    for (int i = 0; i < from.size(); i++) {
      ByteBuffer buffer = from.get(i);
      int length = buffer.remaining();
      buffer.get(bytes, at, length);
      at += length;
    }
  }

  @Override
  public void sync() {}

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    write(offset, from);
  }

  @Override
  public void close() {}
}
