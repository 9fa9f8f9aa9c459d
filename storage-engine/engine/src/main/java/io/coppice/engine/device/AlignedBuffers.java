package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/// Direct buffers fit for a [BlockDevice]: all that the engine has, so that one place is where
/// memory may be short.
public final class AlignedBuffers {

  /// Where they come from; tests put another one here.
  private static volatile IntFunction<ByteBuffer> source = ByteBuffer::allocateDirect;

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
  /// @throws OutOfMemoryError if the process may have no more of it (`-XX:MaxDirectMemorySize`)
  public static ByteBuffer allocate(int size) {
    return source
        .apply(Math.addExact(size, BlockDevice.BLOCK_SIZE))
        .alignedSlice(BlockDevice.BLOCK_SIZE)
        .slice(0, size)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Has buffers come from somewhere else from now on.
  static void allocateBy(IntFunction<ByteBuffer> other) {
    source = other;
  }
}
