package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Direct buffers fit for a [BlockDevice].
public final class AlignedBuffers {

  private AlignedBuffers() {}

  /// Whether a device takes what is left of the buffer as it is.
  public static boolean isAligned(ByteBuffer buffer) {
    return isAligned(buffer, buffer.position()) && buffer.remaining() % BlockDevice.BLOCK_SIZE == 0;
  }

  /// Whether a device takes what lies from index `at` on.
  public static boolean isAligned(ByteBuffer buffer, int at) {
    return buffer.isDirect() && buffer.alignmentOffset(at, BlockDevice.BLOCK_SIZE) == 0;
  }

  /// Where the byte at index `at` of a direct buffer lies in memory.
  public static long addressOf(ByteBuffer buffer, int at) {
    return LinuxCalls.address(buffer) - buffer.position() + at;
  }

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
