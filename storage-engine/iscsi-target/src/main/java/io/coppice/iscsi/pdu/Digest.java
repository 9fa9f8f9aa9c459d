package io.coppice.iscsi.pdu;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// A running CRC32C as iSCSI puts it on the wire (RFC 7143 §13.1, HeaderDigest and DataDigest).
///
/// Not safe for several threads.
public final class Digest {

  /// Length of a digest in bytes.
  public static final int LENGTH = 4;

  private static final byte[] PADDING = new byte[3];

  private final CRC32C crc = new CRC32C();

  public void reset() {
    crc.reset();
  }

  public void update(byte[] bytes, int from, int length) {
    crc.update(bytes, from, length);
  }

  public void update(ByteBuffer bytes) {
    crc.update(bytes);
  }

  /// Covers `length` bytes of a buffer; its indexes stay.
  public void update(ByteBuf bytes, int from, int length) {
    if (bytes.nioBufferCount() == 1) {
      crc.update(bytes.internalNioBuffer(from, length));
    } else {
      for (ByteBuffer part : bytes.nioBuffers(from, length)) {
        crc.update(part);
      }
    }
  }

  /// Covers the zero bytes that pad a data segment of that length.
  public void updatePadding(int dataLength) {
    crc.update(PADDING, 0, padding(dataLength));
  }

  /// The four bytes of the digest, first byte on the wire in the highest bits: the CRC's lowest
  /// byte goes first (RFC 7143 §13.1: the example of 32 zero bytes reads `aa 36 91 8a`).
  public int value() {
    return Integer.reverseBytes((int) crc.getValue());
  }

  /// The bytes that pad a segment of that length to a multiple of four.
  public static int padding(int length) {
    return -length & 3;
  }
}
