package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads the first block of a file through a ring: containers often forbid to make one, or to use
/// it.
final class RingProbe extends ReadQueue.Piece implements RingReads.Calls {

  private @Nullable Exception failure;

  private RingProbe() {
    set(0, AlignedBuffers.allocate(BlockDevice.BLOCK_SIZE), 0, BlockDevice.BLOCK_SIZE);
  }

  /// @throws IOException if it cannot be done, and why
  static void run(RawFile file) throws IOException {
    RingProbe probe = new RingProbe();
    try (RingReads reads = new RingReads(file.ring(1), probe)) {
      reads.add(probe);
      reads.await();
    }
    Exception failure = probe.failure;
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    throw new DeviceException("a read came back without its data");
  }

  @Override
  public void wasRead(long bytes) {
    // Not of the device's use.
  }

  @Override
  public void ringFailed(IOException reason) {
    failure = reason;
  }

  @Override
  public void ended(@Nullable DeviceException failure) {
    if (this.failure == null) {
      this.failure = failure;
    }
  }
}
