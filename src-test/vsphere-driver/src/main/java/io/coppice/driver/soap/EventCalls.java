package io.coppice.driver.soap;

import java.util.List;

/// Events and alarms, contract 5.3. -1 asks from the beginning.
public final class EventCalls {
  private final VasaClient client;

  EventCalls(VasaClient client) {
    this.client = client;
  }

  public List<StorageEvent> getEvents(long lastEventId) {
    return client
        .ask("getEvents", x -> x.text("ns:lastEventId", lastEventId))
        .all("ns:return")
        .stream()
        .map(StorageEvent::of)
        .toList();
  }

  public List<StorageAlarm> getAlarms(long lastAlarmId) {
    return client
        .ask("getAlarms", x -> x.text("ns:lastAlarmId", lastAlarmId))
        .all("ns:return")
        .stream()
        .map(StorageAlarm::of)
        .toList();
  }
}
