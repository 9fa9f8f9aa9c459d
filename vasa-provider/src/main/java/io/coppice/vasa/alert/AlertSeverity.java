package io.coppice.vasa.alert;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The severity of an alert, the smaller one first.
public enum AlertSeverity {
  /// Something will go wrong unless somebody acts.
  WARNING,
  /// Something is lost, or is not served.
  CRITICAL;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The severity of a text; empty if there is none.
  public static Optional<AlertSeverity> parse(String text) {
    return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
  }

  /// All texts, in their order.
  public static List<String> texts() {
    return Arrays.stream(values()).map(AlertSeverity::text).toList();
  }
}
