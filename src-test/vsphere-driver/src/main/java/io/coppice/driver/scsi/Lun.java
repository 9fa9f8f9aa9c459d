package io.coppice.driver.scsi;

import java.util.HexFormat;

/// An 8-byte logical unit number, SAM-5 §4.7.
///
/// `value` holds the eight bytes, byte 0 in the most significant position.
public record Lun(long value) {
  /// The REPORT LUNS well-known logical unit.
  public static final Lun REPORT_LUNS = new Lun(0xC101_0000_0000_0000L);

  /// Logical unit 0.
  public static final Lun ZERO = new Lun(0);

  private static final int SUBSIDIARY_BYTES = 6;

  /// A single-level number 0–16383: peripheral form up to 255, simple form of a conglomerate above.
  public static Lun simple(int number) {
    requireFourteenBits(number);
    return new Lun((long) number << 48);
  }

  /// A single-level number 0–16383 in flat space form.
  public static Lun flat(int number) {
    requireFourteenBits(number);
    return new Lun((0x4000L | number) << 48);
  }

  /// The subsidiary logical unit of `administrative` that a provider named by `secondaryId`.
  ///
  /// @param secondaryId the whole subsidiary element in hex, 1 to 6 bytes, with or without `0x`
  public static Lun subsidiary(Lun administrative, String secondaryId) {
    String hex = secondaryId.startsWith("0x") ? secondaryId.substring(2) : secondaryId;
    byte[] element;
    try {
      element = HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a secondary id is 1 to 6 bytes in hex, got \"" + secondaryId + "\"", e);
    }
    if (element.length == 0 || element.length > SUBSIDIARY_BYTES) {
      throw new IllegalArgumentException(
          "a secondary id is 1 to 6 bytes in hex, got \"" + secondaryId + "\"");
    }
    long low = 0;
    for (int i = 0; i < SUBSIDIARY_BYTES; i++) {
      low = low << 8 | (i < element.length ? Byte.toUnsignedLong(element[i]) : 0);
    }
    return new Lun(administrative.value & 0xFFFF_0000_0000_0000L | low);
  }

  /// The number of a first-level logical unit in peripheral, simple or flat space form.
  public int number() {
    return (int) (value >>> 48) & 0x3FFF;
  }

  @Override
  public String toString() {
    return "LUN %016x".formatted(value);
  }

  private static void requireFourteenBits(int number) {
    if (number < 0 || number > 0x3FFF) {
      throw new IllegalArgumentException("a logical unit number is 0 to 16383, got " + number);
    }
  }
}
