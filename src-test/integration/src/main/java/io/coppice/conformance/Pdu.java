package io.coppice.conformance;

import io.coppice.harness.Mismatch;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// One iSCSI PDU (RFC 7143 §11.2): header with its additional segments, and data without padding.
///
/// @param header 48 bytes and the additional header segments
record Pdu(byte[] header, byte[] data) {

  static final int BASIC_HEADER = 48;

  private static final int LOGIN_RESPONSE = 0x23;
  private static final int TRANSIT_TO_FULL_FEATURE = 0x83;
  private static final int STATUS_CLASS = 36;
  private static final int LUN = 8;
  private static final int LONGEST = 1 << 24;

  int opcode() {
    return header[0] & 0x3f;
  }

  long lun() {
    return ByteBuffer.wrap(header).getLong(LUN);
  }

  Pdu withLun(long lun) {
    byte[] changed = header.clone();
    ByteBuffer.wrap(changed).putLong(LUN, lun);
    return new Pdu(changed, data);
  }

  Pdu withData(byte[] other) {
    byte[] changed = header.clone();
    changed[5] = (byte) (other.length >> 16);
    changed[6] = (byte) (other.length >> 8);
    changed[7] = (byte) other.length;
    return new Pdu(changed, other);
  }

  /// Whether it is the login response after which the full feature phase begins.
  boolean endsLogin() {
    return opcode() == LOGIN_RESPONSE
        && (header[1] & TRANSIT_TO_FULL_FEATURE) == TRANSIT_TO_FULL_FEATURE
        && header[STATUS_CLASS] == 0;
  }

  /// @throws EOFException at the end of the stream
  /// @throws Mismatch if a digest is not that of what came
  static Pdu read(InputStream in, boolean digests) throws IOException {
    byte[] basic = exactly(in, BASIC_HEADER);
    int length = ByteBuffer.wrap(basic).getInt(4) & 0xff_ffff;
    byte[] additional = exactly(in, 4 * Byte.toUnsignedInt(basic[4]));
    byte[] header = new byte[basic.length + additional.length];
    System.arraycopy(basic, 0, header, 0, basic.length);
    System.arraycopy(additional, 0, header, basic.length, additional.length);
    if (digests) {
      requireDigest("header", header, exactly(in, 4));
    }
    if (length > LONGEST) {
      throw new Mismatch("expected a data segment of at most 16 MiB, got " + length);
    }
    byte[] padded = exactly(in, length + 3 & ~3);
    if (digests && length > 0) {
      requireDigest("data", padded, exactly(in, 4));
    }
    return new Pdu(header, java.util.Arrays.copyOf(padded, length));
  }

  void write(OutputStream out, boolean digests) throws IOException {
    out.write(header);
    if (digests) {
      out.write(digest(header));
    }
    byte[] padded = java.util.Arrays.copyOf(data, data.length + 3 & ~3);
    out.write(padded);
    if (digests && padded.length > 0) {
      out.write(digest(padded));
    }
  }

  private static byte[] exactly(InputStream in, int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }

  private static void requireDigest(String of, byte[] bytes, byte[] found) {
    byte[] expected = digest(bytes);
    if (!java.util.Arrays.equals(expected, found)) {
      throw new Mismatch("expected another digest of the " + of);
    }
  }

  /// CRC32C as it stands on the wire: least significant byte first (RFC 7143 §13.1).
  static byte[] digest(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ByteBuffer.allocate(4)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) crc.getValue())
        .array();
  }

  /// Never the data.
  @Override
  public String toString() {
    return "Pdu[opcode=0x%02x, data=%d bytes]".formatted(opcode(), data.length);
  }
}
