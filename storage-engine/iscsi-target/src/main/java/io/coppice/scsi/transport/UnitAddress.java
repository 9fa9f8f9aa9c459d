package io.coppice.scsi.transport;

import java.util.Optional;

/// The unit that an 8-byte LUN addresses, in whichever form (SAM-5 §4.7).
///
/// A LUN is a chain of at most two elements. An element is simple or peripheral (00b, 14 bits),
/// flat (01b, 14 bits), extended flat (D2h, 24 bits), long extended flat (E2h, 40 bits) or well
/// known (C1h). The unused rest is zero; a zero element after the first says nothing.
public sealed interface UnitAddress {

  /// A logical unit of the first level: plain, or administrative.
  record Single(long number) implements UnitAddress {}

  /// A subsidiary logical unit.
  record Subsidiary(long administrative, long number) implements UnitAddress {}

  /// The well-known logical unit of that number.
  record WellKnown(int number) implements UnitAddress {}

  /// A LUN that no address method explains.
  record Unknown() implements UnitAddress {}

  /// The REPORT LUNS well-known logical unit.
  WellKnown REPORT_LUNS = new WellKnown(0x01);

  /// The LUN that REPORT LUNS lists for it.
  long REPORT_LUNS_LUN = 0xc101L << 48;

  static UnitAddress of(LogicalUnitNumber lun) {
    long value = lun.value();
    if (value >>> 56 == 0xc1) {
      return value << 16 == 0 ? new WellKnown((int) (value >>> 48) & 0xff) : new Unknown();
    }
    return Element.first(value)
        .map(first -> withSecond(first, value << first.bits()))
        .orElseGet(Unknown::new);
  }

  private static UnitAddress withSecond(Element first, long rest) {
    if (rest == 0) {
      return new Single(first.number());
    }
    return Element.first(rest)
        .filter(second -> second.bits() == Long.SIZE || rest << second.bits() == 0)
        .<UnitAddress>map(second -> new Subsidiary(first.number(), second.number()))
        .orElseGet(Unknown::new);
  }

  /// One element and the number of bits it takes.
  record Element(long number, int bits) {

    static Optional<Element> first(long value) {
      int method = (int) (value >>> 62);
      return switch (method) {
        case 0, 1 -> Optional.of(new Element(value >>> 48 & 0x3fff, 16));
        case 3 -> extended(value);
        default -> Optional.empty(); // 10b, logical unit addressing: a bus and a target behind us
      };
    }

    private static Optional<Element> extended(long value) {
      return switch ((int) (value >>> 56)) {
        case 0xd2 -> Optional.of(new Element(value >>> 32 & 0xff_ffff, 32));
        case 0xe2 -> Optional.of(new Element(value >>> 16 & 0xff_ffff_ffffL, 48));
        default -> Optional.empty();
      };
    }
  }

  /// The LUN of a plain logical unit in REPORT LUNS: peripheral up to 255, flat space above.
  ///
  /// @param number 0 to 16383
  static long plain(int number) {
    return (long) (number < 256 ? number : 0x4000 | number) << 48;
  }

  /// The LUN of a subsidiary logical unit.
  static long subsidiary(int administrative, int number, SecondaryIdForm form) {
    return (long) administrative << 48 | form.element(number) >>> 16;
  }
}
