package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A device that hands every call on to another one. A subclass overrides what it does differently.
///
/// The copies, the reserves and the queue for reads are not handed on: whoever used those of the
/// other device would go past the subclass.
public abstract class ForwardingDevice implements BlockDevice {

  protected final BlockDevice device;

  protected ForwardingDevice(BlockDevice device) {
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
