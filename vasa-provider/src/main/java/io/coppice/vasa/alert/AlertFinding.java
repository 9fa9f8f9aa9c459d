package io.coppice.vasa.alert;

import java.util.Map;

/// A finding of a source: something that is wrong now.
///
/// @param key the same for the same cause of the same object; no two sources share one
/// @param message last part of the key of its texts in the catalog
/// @param parameters values for these texts
public record AlertFinding(
    String key,
    AlertSeverity severity,
    AlertSubject about,
    String message,
    Map<String, String> parameters) {

  public AlertFinding {
    parameters = Map.copyOf(parameters);
  }
}
