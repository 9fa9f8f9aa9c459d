package io.coppice.vasa.alarm;

import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import java.util.Map;

/// A state in which something was found.
///
/// @param message last part of its key in the Alarm catalog
record FoundAlarm(
    Alarms.Subject subject,
    RaisedAlarm.Status status,
    String message,
    Map<String, String> parameters) {

  FoundAlarm {
    parameters = Map.copyOf(parameters);
  }
}
