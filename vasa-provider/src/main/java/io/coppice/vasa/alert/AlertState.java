package io.coppice.vasa.alert;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The state of an alert.
public enum AlertState {
  /// Its cause is there, and nobody has said that they know.
  ACTIVE,
  /// Its cause is there, and somebody looks after it.
  ACKNOWLEDGED,
  /// Its cause is there, and nobody wants to hear of it for a time.
  MUTED,
  /// Its cause is gone.
  RESOLVED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The state of a text; empty if there is none.
  public static Optional<AlertState> parse(String text) {
    return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
  }

  /// All texts, in their order.
  public static List<String> texts() {
    return Arrays.stream(values()).map(AlertState::text).toList();
  }
}
