package io.coppice.iscsi.pdu;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// The text of login and text PDUs: `key=value` pairs, each ended by a zero byte (RFC 7143 §6.1).
public final class TextParameters {

  private static final int KEY_LENGTH_MAX = 63;

  /// Text that is not a list of pairs, or says the same key twice.
  public static final class MalformedTextException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedTextException(String message) {
      super(message);
    }
  }

  private TextParameters() {}

  /// The pairs in their order.
  ///
  /// @throws MalformedTextException if a piece has no `=`, no key, an over-long key, or a key that
  ///   already came
  public static Map<String, String> decode(ByteBuffer text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String piece : StandardCharsets.UTF_8.decode(text).toString().split("\0", -1)) {
      if (piece.isEmpty()) {
        continue;
      }
      int equals = piece.indexOf('=');
      if (equals < 1 || equals > KEY_LENGTH_MAX) {
        throw new MalformedTextException("expected key=value with a key of 1 to 63 bytes");
      }
      String key = piece.substring(0, equals);
      if (pairs.putIfAbsent(key, piece.substring(equals + 1)) != null) {
        throw new MalformedTextException("expected each key once, got " + key + " twice");
      }
    }
    return pairs;
  }

  /// Appends a pair.
  public static void append(StringBuilder text, String key, String value) {
    text.append(key).append('=').append(value).append('\0');
  }
}
