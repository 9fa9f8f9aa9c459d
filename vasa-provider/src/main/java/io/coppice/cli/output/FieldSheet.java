package io.coppice.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// One object with all its fields, a line for each: `space.free 1.0 GiB (1073741824)`.
public final class FieldSheet {

  private static final Set<String> SIZES =
      Set.of(
          "size",
          "mapped",
          "unique",
          "shared",
          "reserved",
          "reclaiming",
          "freedIfDeleted",
          "quota",
          "provisioned",
          "used",
          "free",
          "capacity",
          "maxBandwidth");

  private FieldSheet() {}

  /// The lines, each with a line break; fields that are null or empty are `-`.
  public static String of(JsonNode object) {
    Map<String, String> fields = new LinkedHashMap<>();
    flatten("", "", object, fields);
    int width = fields.keySet().stream().mapToInt(SafeText::width).max().orElse(0);
    return fields.entrySet().stream()
        .map(
            field ->
                field.getKey()
                    + " ".repeat(width - SafeText.width(field.getKey()) + 2)
                    + field.getValue()
                    + "\n")
        .collect(Collectors.joining());
  }

  private static void flatten(
      String path, String name, JsonNode value, Map<String, String> fields) {
    if (value.isObject() && !value.isEmpty()) {
      value.forEachEntry(
          (key, one) -> {
            String safe = SafeText.of(key);
            flatten(path.isEmpty() ? safe : path + "." + safe, key, one, fields);
          });
    } else if (value.isArray() && value.size() > 0 && value.get(0).isObject()) {
      for (int i = 0; i < value.size(); i++) {
        flatten("%s[%d]".formatted(path, i), "", value.get(i), fields);
      }
    } else {
      fields.put(path, cell(name, value));
    }
  }

  /// Whether a field of this name counts bytes, such as `quota`, `bytesVerified` or
  /// `hostBytesRead`.
  private static boolean isSize(String name) {
    return SIZES.contains(name) || name.startsWith("bytes") || name.contains("Bytes");
  }

  private static String cell(String name, JsonNode value) {
    if (value.isNull() || value.isContainer() && value.isEmpty()) {
      return "-";
    }
    if (value.isArray()) {
      return value.valueStream().map(one -> cell(name, one)).collect(Collectors.joining(", "));
    }
    if (value.isIntegralNumber() && isSize(name)) {
      return ByteSize.exact(value.asLong());
    }
    if (value.isBoolean()) {
      return value.asBoolean() ? "yes" : "no";
    }
    return SafeText.of(value.asString());
  }
}
