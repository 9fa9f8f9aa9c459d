package io.coppice.vasa.recovery;

import io.coppice.vasa.event.Alarm;
import io.coppice.vasa.event.Alarms;
import java.util.Map;

/// State that something was found in.
///
/// @param message last part of its key in the Alarm catalog
record Raised(
    Alarms.Subject subject, Alarm.Status status, String message, Map<String, String> parameters) {

  Raised {
    parameters = Map.copyOf(parameters);
  }
}
