package io.coppice.admin.field;

import java.util.Locale;

/// Names of constants in the form of JSON's keys: `WRITE_SAME` as `writeSame`.
public final class CamelCase {

  private CamelCase() {}

  public static String of(Enum<?> constant) {
    StringBuilder text = new StringBuilder();
    for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      text.append(
          text.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return text.toString();
  }
}
