package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// Sense data, decoded from fixed or descriptor format (SPC-5 §4.4).
///
/// `information` counts only if `informationValid`.
public record Sense(int key, int asc, int ascq, boolean informationValid, long information) {
  public static final int NOT_READY = 0x2;
  public static final int MEDIUM_ERROR = 0x3;
  public static final int ILLEGAL_REQUEST = 0x5;
  public static final int UNIT_ATTENTION = 0x6;
  public static final int DATA_PROTECT = 0x7;
  public static final int COPY_ABORTED = 0xA;
  public static final int ABORTED_COMMAND = 0xB;
  public static final int MISCOMPARE = 0xE;

  /// Reads the remaining bytes of `bytes`.
  ///
  /// @throws IllegalArgumentException if the response code is unknown or fields are cut off
  public static Sense decode(ByteBuffer bytes) {
    ByteBuffer b = bytes.slice();
    if (b.remaining() < 4) {
      throw new IllegalArgumentException("sense data has at least 4 bytes, got " + b.remaining());
    }
    int code = b.get(0) & 0x7F;
    return switch (code) {
      case 0x70, 0x71 -> fixed(b);
      case 0x72, 0x73 -> descriptors(b);
      default ->
          throw new IllegalArgumentException(
              "a sense response code is 70h to 73h, got %02Xh".formatted(code));
    };
  }

  public boolean is(int key, int asc, int ascq) {
    return this.key == key && this.asc == asc && this.ascq == ascq;
  }

  @Override
  public String toString() {
    return "sense %Xh %02Xh/%02Xh%s"
        .formatted(key, asc, ascq, informationValid ? " information " + information : "");
  }

  private static Sense fixed(ByteBuffer b) {
    if (b.remaining() < 14) {
      throw new IllegalArgumentException(
          "fixed format sense data has at least 14 bytes, got " + b.remaining());
    }
    boolean valid = (b.get(0) & 0x80) != 0;
    return new Sense(
        b.get(2) & 0x0F,
        Byte.toUnsignedInt(b.get(12)),
        Byte.toUnsignedInt(b.get(13)),
        valid,
        Integer.toUnsignedLong(b.getInt(3)));
  }

  private static Sense descriptors(ByteBuffer b) {
    boolean valid = false;
    long information = 0;
    int at = 8;
    while (at + 2 <= b.remaining()) {
      int type = b.get(at);
      int length = Byte.toUnsignedInt(b.get(at + 1));
      if (type == 0 && length >= 10 && at + 12 <= b.remaining()) {
        valid = (b.get(at + 2) & 0x80) != 0;
        information = b.getLong(at + 4);
      }
      at += 2 + length;
    }
    return new Sense(
        b.get(1) & 0x0F,
        Byte.toUnsignedInt(b.get(2)),
        Byte.toUnsignedInt(b.get(3)),
        valid,
        information);
  }
}
