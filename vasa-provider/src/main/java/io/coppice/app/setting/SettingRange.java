package io.coppice.app.setting;

/// The check that a setting is within its range.
final class SettingRange {

  private SettingRange() {}

  /// @param key name of the setting without its first part
  /// @throws IllegalArgumentException if the value is outside of the range
  static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}
