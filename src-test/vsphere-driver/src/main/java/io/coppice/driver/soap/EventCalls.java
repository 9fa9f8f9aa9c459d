package io.coppice.driver.soap;

import java.util.List;

/// Events and alarms, contract 5.3. -1 asks from the beginning.
public final class EventCalls {
  private final Exchange exchange;

  EventCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  public List<StorageEvent> getEvents(long lastEventId) {
    return exchange.all("getEvents", StorageEvent::of, x -> x.text("ns:lastEventId", lastEventId));
  }

  public List<StorageAlarm> getAlarms(long lastAlarmId) {
    return exchange.all("getAlarms", StorageAlarm::of, x -> x.text("ns:lastAlarmId", lastAlarmId));
  }
}
