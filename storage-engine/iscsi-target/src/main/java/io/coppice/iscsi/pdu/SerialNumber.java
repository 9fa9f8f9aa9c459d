package io.coppice.iscsi.pdu;

/// Serial number arithmetic on 32 bits (RFC 1982; RFC 7143 §4.2.2).
public final class SerialNumber {

  private SerialNumber() {}

  /// Whether `a` comes before `b`. Defined while they are less than 2^31 apart.
  public static boolean before(int a, int b) {
    return a - b < 0;
  }

  /// Whether `first <= number <= last`.
  public static boolean within(int number, int first, int last) {
    return !before(number, first) && !before(last, number);
  }
}
