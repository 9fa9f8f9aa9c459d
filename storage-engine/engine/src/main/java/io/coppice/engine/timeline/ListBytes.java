package io.coppice.engine.timeline;

import io.coppice.engine.format.OldBlocks;
import java.util.Arrays;

/// The end of a list of blocks that is in memory: bytes from an offset on.
final class ListBytes {

  private static final int LEAST = 64;

  private long from;
  private byte[] bytes = new byte[LEAST];
  private int length;

  ListBytes(long from, byte[] bytes) {
    this.from = from;
    this.bytes = bytes.length < LEAST ? Arrays.copyOf(bytes, LEAST) : bytes.clone();
    length = bytes.length;
  }

  /// The offset of the first byte.
  long from() {
    return from;
  }

  long end() {
    return from + length;
  }

  int capacity() {
    return bytes.length;
  }

  void add(OldBlocks.Run run) {
    if (bytes.length - length < OldBlocks.MOST_RUN) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    length = OldBlocks.write(bytes, length, run);
  }

  /// The bytes between two offsets that are in memory.
  byte[] between(long start, long end) {
    return Arrays.copyOfRange(bytes, (int) (start - from), (int) (end - from));
  }

  /// Forgets the bytes before an offset.
  void forget(long before) {
    if (before > from) {
      int gone = (int) Math.min(length, before - from);
      length -= gone;
      bytes = Arrays.copyOfRange(bytes, gone, gone + Math.max(LEAST, length));
      from = before;
    }
  }
}
