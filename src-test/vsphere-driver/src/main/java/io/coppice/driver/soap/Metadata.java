package io.coppice.driver.soap;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Metadata pairs of a vVol on the wire. A pair without a value removes the key.
final class Metadata {
  private Metadata() {}

  static void write(XmlText xml, String name, Map<String, String> pairs) {
    pairs.forEach((key, value) -> writePair(xml, name, key, value));
  }

  static void writePair(XmlText xml, String name, String key, @Nullable String value) {
    xml.element(
        name, pair -> pair.text("data:parameterName", key).optional("data:parameterValue", value));
  }

  static Map<String, String> of(Xml x, String expression) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (Xml pair : x.all(expression)) {
      String value = pair.text("data:parameterValue");
      pairs.put(pair.required("data:parameterName"), value == null ? "" : value);
    }
    return pairs;
  }
}
