package io.coppice.driver.iscsi;

import java.nio.ByteBuffer;

/// A basic header segment and a data segment, without padding and digests.
final class Pdu {
  static final int HEADER_BYTES = 48;
  static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final ByteBuffer header;
  private ByteBuffer data;

  Pdu(ByteBuffer header, ByteBuffer data) {
    this.header = header;
    this.data = data;
  }

  /// A PDU to build: `opcode` with its immediate flag, `flags` as byte 1.
  static Pdu of(int opcode, int flags) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.put(0, (byte) opcode).put(1, (byte) flags);
    return new Pdu(header, NO_DATA);
  }

  Pdu lun(long value) {
    header.putLong(8, value);
    return this;
  }

  Pdu tag(int initiatorTaskTag) {
    header.putInt(16, initiatorTaskTag);
    return this;
  }

  Pdu word(int offset, int value) {
    header.putInt(offset, value);
    return this;
  }

  Pdu bytes(int offset, ByteBuffer bytes) {
    header.put(offset, bytes, 0, bytes.remaining());
    return this;
  }

  Pdu data(ByteBuffer segment) {
    data = segment;
    int length = segment.remaining();
    header.put(5, (byte) (length >>> 16)).putShort(6, (short) length);
    return this;
  }

  ByteBuffer header() {
    return header;
  }

  ByteBuffer data() {
    return data;
  }

  int opcode() {
    return header.get(0) & 0x3F;
  }

  boolean immediate() {
    return (header.get(0) & Opcode.IMMEDIATE) != 0;
  }

  int flags() {
    return Byte.toUnsignedInt(header.get(1));
  }

  int byteAt(int offset) {
    return Byte.toUnsignedInt(header.get(offset));
  }

  int wordAt(int offset) {
    return header.getInt(offset);
  }

  long longAt(int offset) {
    return header.getLong(offset);
  }

  int tag() {
    return header.getInt(16);
  }

  int dataLength() {
    return dataLength(header);
  }

  static int dataLength(ByteBuffer header) {
    return header.getInt(4) & 0xFF_FFFF;
  }

  /// The padding after `length` bytes.
  static int padding(int length) {
    return -length & 3;
  }

  @Override
  public String toString() {
    return "PDU %02Xh, tag %08x, %d bytes".formatted(opcode(), tag(), dataLength());
  }
}
