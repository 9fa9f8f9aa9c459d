package io.coppice.admin.field;

import java.util.List;
import java.util.Locale;

/// Numbers of bytes in sentences, such as `1.5 GiB`.
public final class SizeText {

  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB", "PiB", "EiB");

  private SizeText() {}

  /// The number with one decimal and a binary unit; below 1 KiB as it is.
  public static String of(long bytes) {
    if (bytes < 1024) {
      return bytes + " bytes";
    }
    double rest = bytes / 1024.0;
    int unit = 0;
    while (rest >= 1023.95 && unit < UNITS.size() - 1) {
      rest /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", rest, UNITS.get(unit));
  }
}
