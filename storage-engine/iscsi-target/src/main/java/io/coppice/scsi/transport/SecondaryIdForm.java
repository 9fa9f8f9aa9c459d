package io.coppice.scsi.transport;

/// The written form of the subsidiary element of a LUN (SAM-5 §4.7.7). The target understands every
/// form of a number and tells hosts this one.
public enum SecondaryIdForm {

  /// Extended flat space, 24 bits: `0xd2` and 6 hex digits. The form seen from shipping arrays.
  EXTENDED_FLAT(0xff_ffff) {
    @Override
    public String text(int number) {
      return "0xd2%06x".formatted(number);
    }

    @Override
    long element(int number) {
      return 0xd2L << 56 | (long) number << 32;
    }
  },

  /// Simple addressing, 14 bits: `0x` and 4 hex digits.
  SIMPLE(0x3fff) {
    @Override
    public String text(int number) {
      return "0x%04x".formatted(number);
    }

    @Override
    long element(int number) {
      return (long) number << 48;
    }
  },

  /// Long extended flat space, 40 bits: `0xe2` and 10 hex digits.
  LONG_EXTENDED(0xff_ffff) {
    @Override
    public String text(int number) {
      return "0xe2%010x".formatted(number);
    }

    @Override
    long element(int number) {
      return 0xe2L << 56 | (long) number << 16;
    }
  };

  private final int largest;

  SecondaryIdForm(int largest) {
    this.largest = largest;
  }

  /// Largest number that a vVol gets in this form.
  public int largest() {
    return largest;
  }

  /// The element as VASA's secondary id.
  public abstract String text(int number);

  /// The element in the first bytes of 8.
  abstract long element(int number);
}
