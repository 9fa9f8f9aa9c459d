package io.coppice.driver.soap;

import java.util.List;

/// Events and alarms, contract 5.3. -1 asks from the beginning.
public final class EventCalls {
  private final Exchange exchange;

  EventCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  public List<StorageEvent> getEvents(long lastEventId) {
    return exchange
        .ask("getEvents", x -> x.text("ns:lastEventId", lastEventId))
        .all("ns:return")
        .stream()
        .map(StorageEvent::of)
        .toList();
  }

  public List<StorageAlarm> getAlarms(long lastAlarmId) {
    return exchange
        .ask("getAlarms", x -> x.text("ns:lastAlarmId", lastAlarmId))
        .all("ns:return")
        .stream()
        .map(StorageAlarm::of)
        .toList();
  }
}
