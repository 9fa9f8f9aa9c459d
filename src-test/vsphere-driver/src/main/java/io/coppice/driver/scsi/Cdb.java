package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// A command descriptor block with the name that messages use for it.
///
/// `bytes` is read-only and has 6, 10, 12 or 16 bytes; its position never moves.
public record Cdb(String name, ByteBuffer bytes) {
  public Cdb {
    int length = bytes.remaining();
    if (length < 6 || length > 16) {
      throw new IllegalArgumentException("a CDB here has 6 to 16 bytes, got " + length);
    }
    bytes = bytes.slice().asReadOnlyBuffer();
  }

  /// Any command, for tests of what has no builder in [Cdbs].
  public static Cdb of(String name, int... bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    for (int b : bytes) {
      buffer.put((byte) b);
    }
    return new Cdb(name, buffer.flip());
  }
}
