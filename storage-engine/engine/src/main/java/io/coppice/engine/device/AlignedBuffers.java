package io.coppice.engine.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/// The direct buffers fit for a [BlockDevice]. The engine takes all of them here, so that memory
/// can run short in one place only.
public final class AlignedBuffers {

  /// The source of the buffers; tests put another one here.
  private static volatile IntFunction<ByteBuffer> source = ByteBuffer::allocateDirect;

  private AlignedBuffers() {}

  /// Whether a device takes the rest of the buffer as it is.
  public static boolean isAligned(ByteBuffer buffer) {
    return isAligned(buffer, buffer.position()) && buffer.remaining() % BlockDevice.BLOCK_SIZE == 0;
  }

  /// Whether a device takes the buffer from index `at` on as it is.
  public static boolean isAligned(ByteBuffer buffer, int at) {
    return buffer.isDirect() && buffer.alignmentOffset(at, BlockDevice.BLOCK_SIZE) == 0;
  }

  /// The memory address of the byte at index `at` of a direct buffer.
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

  /// Makes buffers come from another source from now on.
  static void allocateBy(IntFunction<ByteBuffer> other) {
    source = other;
  }
}
