package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import java.nio.ByteBuffer;
import java.util.List;

/// A device that leaves every sync out: what an engine must never run on.
public final class UnsyncedDevice implements BlockDevice {

  private final BlockDevice device;

  public UnsyncedDevice(BlockDevice device) {
    this.device = device;
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
    device.write(offset, from);
  }

  @Override
  public void sync() {}

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    device.write(offset, from);
  }

  @Override
  public void close() {
    device.close();
  }
}
