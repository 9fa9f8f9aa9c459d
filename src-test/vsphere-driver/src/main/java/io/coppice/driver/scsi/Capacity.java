package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// READ CAPACITY(16) data, SBC-4 §5.21.2. `thin` is LBPME, `readsZero` is LBPRZ.
public record Capacity(
    long blocks, int blockBytes, int physicalExponent, boolean thin, boolean readsZero) {

  /// The size of the logical unit in bytes.
  public long bytes() {
    return Math.multiplyExact(blocks, (long) blockBytes);
  }

  static Capacity decode(ByteBuffer b) {
    if (b.remaining() < 16) {
      throw new IllegalArgumentException(
          "READ CAPACITY(16) data has at least 16 bytes, got " + b.remaining());
    }
    return new Capacity(
        b.getLong(0) + 1,
        b.getInt(8),
        b.get(13) & 0x0F,
        (b.get(14) & 0x80) != 0,
        (b.get(14) & 0x40) != 0);
  }
}
