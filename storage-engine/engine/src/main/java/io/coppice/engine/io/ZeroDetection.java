package io.coppice.engine.io;

import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;

/// A look for zeros, which need no block, and their copy into a buffer.
final class ZeroDetection {

  private static final ByteBuffer BLOCK = ByteBuffer.allocateDirect(PoolLayout.BLOCK);

  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10);

  private ZeroDetection() {}

  /// Whether all bytes from the position to the limit are zero. Other data is mostly known by its
  /// first bytes, so that it costs nothing.
  static boolean fill(ByteBuffer bytes) {
    int end = bytes.limit();
    for (int at = bytes.position(); at < end; at += PoolLayout.BLOCK) {
      int length = Math.min(PoolLayout.BLOCK, end - at);
      if (bytes.get(at) != 0 || bytes.slice(at, length).mismatch(BLOCK.slice(0, length)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /// Puts `length` zeros.
  static void zero(ByteBuffer into, int length) {
    int left = length;
    while (left > 0) {
      int n = Math.min(left, ZEROS.capacity());
      into.put(into.position(), ZEROS, 0, n);
      into.position(into.position() + n);
      left -= n;
    }
  }
}
