package io.coppice.driver.iscsi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `key=value` pairs of login and text PDUs, RFC 7143 §6.1.
final class TextKeys {
  private TextKeys() {}

  static ByteBuffer encode(Map<String, String> keys) {
    StringBuilder text = new StringBuilder();
    keys.forEach((key, value) -> text.append(key).append('=').append(value).append('\0'));
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// @throws IscsiProtocolException if an item has no `=` or a key comes twice
  static Map<String, String> decode(ByteBuffer data) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (Map.Entry<String, String> pair : decodePairs(data)) {
      if (keys.put(pair.getKey(), pair.getValue()) != null) {
        throw new IscsiProtocolException("expected each key once, got " + pair.getKey() + " twice");
      }
    }
    return keys;
  }

  /// As [#decode], but keeps keys that come more than once, as in a SendTargets reply.
  static List<Map.Entry<String, String>> decodePairs(ByteBuffer data) {
    List<Map.Entry<String, String>> pairs = new ArrayList<>();
    String text = StandardCharsets.UTF_8.decode(data.slice()).toString();
    for (String item : text.split("\0", -1)) {
      if (item.isEmpty()) {
        continue;
      }
      int equals = item.indexOf('=');
      if (equals <= 0) {
        throw new IscsiProtocolException("expected key=value, got \"" + item + "\"");
      }
      pairs.add(Map.entry(item.substring(0, equals), item.substring(equals + 1)));
    }
    return pairs;
  }
}
