package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;

/// The whole blocks of a write with their CRCs, and how many of them are in the log. One object
/// serves one write after another. The buffer is left as it is.
final class Payload {

  private static final int BLOCK = PoolLayout.BLOCK;
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  /// Size in bytes from which on memory that is fit for the device is not copied.
  private static final int GATHERED_FROM = 32 << 10;

  private ByteBuffer bytes = NOTHING;
  private int[] crcs = {};
  private int start;
  private int blocks;
  private int done;

  /// Takes the blocks from the position of a buffer to its limit. No other code may use the buffer
  /// meanwhile, nor change it while its blocks are used.
  void take(ByteBuffer from, Checksum checksum) {
    bytes = from;
    start = from.position();
    blocks = from.remaining() / BLOCK;
    done = 0;
    if (crcs.length < blocks) {
      crcs = new int[blocks];
    }
    for (int i = 0; i < blocks; i++) {
      crcs[i] = checksum.of(from, start + i * BLOCK, BLOCK);
    }
  }

  /// Forgets the buffer.
  void letGo() {
    bytes = NOTHING;
  }

  int blocks() {
    return blocks;
  }

  /// Number of blocks that are in the log.
  int done() {
    return done;
  }

  int left() {
    return blocks - done;
  }

  void advance(int more) {
    done += more;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /// The position in the buffer at which the first block begins.
  int start() {
    return start;
  }

  /// The position in the buffer at which the rest begins.
  int at() {
    return start + done * BLOCK;
  }

  /// @param index counted from the first block of all
  int crc(int index) {
    return crcs[index];
  }

  /// Whether the device takes the rest from where it is.
  boolean isGathered() {
    return left() * BLOCK >= GATHERED_FROM && AlignedBuffers.isAligned(bytes, at());
  }
}
