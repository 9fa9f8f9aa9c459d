package io.coppice.iscsi.login;

import java.util.Base64;
import java.util.HexFormat;

/// The binary and numerical values in text (RFC 7143 §6.1, Text Format): `0x` and hex digits, `0b`
/// and base64, or decimal digits.
final class BinaryValue {

  /// Longest large-binary-value in bytes (RFC 7143 §6.1).
  private static final int LENGTH_MAX = 1024;

  private BinaryValue() {}

  static String encode(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  /// @throws LoginRefusedException if it is not a binary value of 1 to 1024 bytes
  static byte[] decode(String key, String text) {
    try {
      byte[] bytes = bytesOf(text);
      if (bytes.length >= 1 && bytes.length <= LENGTH_MAX) {
        return bytes;
      }
    } catch (IllegalArgumentException notBinary) {
      // Refused below: what is wrong with it does not matter to the peer.
    }
    throw new LoginRefusedException(
        LoginRefusal.BROKEN_RULES,
        "expected a binary value of 1 to 1024 bytes in "
            + key
            + ", got "
            + text.length()
            + " characters");
  }

  private static byte[] bytesOf(String text) {
    // No need to decode what is too long in either form.
    if (text.length() > 2 + 2 * LENGTH_MAX || text.length() < 2) {
      return new byte[0];
    }
    String digits = text.substring(2);
    return switch (text.substring(0, 2)) {
      case "0x", "0X" -> HexFormat.of().parseHex(digits.length() % 2 == 0 ? digits : "0" + digits);
      case "0b", "0B" -> Base64.getDecoder().decode(digits);
      default -> new byte[0];
    };
  }

  /// A number from 0 to 2^32 - 1, or -1 if it is none.
  static long number(String text) {
    boolean hex = text.startsWith("0x") || text.startsWith("0X");
    String digits = hex ? text.substring(2) : text;
    if (digits.isEmpty()
        || digits.length() > 10
        || digits.startsWith("-")
        || digits.startsWith("+")) {
      return -1;
    }
    try {
      long number = Long.parseLong(digits, hex ? 16 : 10);
      return number <= 0xffff_ffffL ? number : -1;
    } catch (NumberFormatException notNumber) {
      return -1;
    }
  }
}
