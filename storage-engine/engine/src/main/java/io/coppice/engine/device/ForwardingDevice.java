package io.coppice.engine.testing;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.Medium;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A device that hands everything on to another one, for devices that do one thing differently.
public abstract class PassingDevice implements BlockDevice {

  private final BlockDevice device;

  protected PassingDevice(BlockDevice device) {
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
  public void sync() {
    device.sync();
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    device.writeStable(offset, from);
  }

  @Override
  public boolean toleratesInterrupts() {
    return device.toleratesInterrupts();
  }

  @Override
  public @Nullable Medium medium() {
    return device.medium();
  }

  @Override
  public void close() {
    device.close();
  }
}
