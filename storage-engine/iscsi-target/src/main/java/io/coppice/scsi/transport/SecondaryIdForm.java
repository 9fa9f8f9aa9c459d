package io.coppice.scsi.transport;

/// The written form of the subsidiary element of a LUN (SAM-5 §4.7.7). The target understands every
/// form of a number and tells hosts this one.
public enum SecondaryIdForm {

  /// Extended flat space, 24 bits: `0xd2` and 6 hex digits. The form seen from shipping arrays.
  EXTENDED_FLAT(0xff_ffff, "0xd2%06x", 0xd2L << 56, 32),

  /// Simple addressing, 14 bits: `0x` and 4 hex digits.
  SIMPLE(0x3fff, "0x%04x", 0, 48),

  /// Long extended flat space, 40 bits: `0xe2` and 10 hex digits.
  LONG_EXTENDED(0xff_ffff, "0xe2%010x", 0xe2L << 56, 16);

  private final int largest;
  private final String format;
  private final long method;
  private final int shift;

  SecondaryIdForm(int largest, String format, long method, int shift) {
    this.largest = largest;
    this.format = format;
    this.method = method;
    this.shift = shift;
  }

  /// Largest number that a vVol gets in this form.
  public int largest() {
    return largest;
  }

  /// The element as VASA's secondary id.
  public String text(int number) {
    return format.formatted(number);
  }

  /// The element in the first bytes of 8.
  long element(int number) {
    return method | (long) number << shift;
  }
}
