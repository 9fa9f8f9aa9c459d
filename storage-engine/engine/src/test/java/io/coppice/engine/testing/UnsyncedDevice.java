package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import java.nio.ByteBuffer;
import java.util.List;

/// A device that leaves every sync out: what an engine must never run on.
public final class UnsyncedDevice extends ForwardingDevice {

  public UnsyncedDevice(BlockDevice device) {
    super(device);
  }

  @Override
  public void sync() {}

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    write(offset, from);
  }
}
