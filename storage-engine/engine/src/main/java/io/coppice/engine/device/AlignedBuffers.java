package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Direct buffers fit for a [BlockDevice].
public final class AlignedBuffers {

  private AlignedBuffers() {}

  /// A zeroed direct little-endian buffer that starts at a multiple of [BlockDevice#BLOCK_SIZE].
  ///
  /// @param size capacity in bytes
  public static ByteBuffer allocate(int size) {
    return ByteBuffer.allocateDirect(Math.addExact(size, BlockDevice.BLOCK_SIZE))
        .alignedSlice(BlockDevice.BLOCK_SIZE)
        .slice(0, size)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
