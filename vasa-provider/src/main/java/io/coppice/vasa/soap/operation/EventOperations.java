package io.coppice.vasa.soap.operation;

import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.Peer;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.soap.translate.EventMapper;
import io.coppice.wsdl.data.StorageAlarm;
import io.coppice.wsdl.data.StorageEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Events and alarms (contract §5.3).
@Component
public final class EventOperations {

  private static final long FROM_THE_BEGINNING = -1;

  private final EventLog events;
  private final Alarms alarms;
  private final EventMapper mapper;

  public EventOperations(EventLog events, Alarms alarms, EventMapper mapper) {
    this.events = events;
    this.alarms = alarms;
    this.mapper = mapper;
  }

  public List<StorageEvent> getEvents(@Nullable Long lastEventId) {
    VasaSession session = CurrentSession.get();
    long last = lastEventId == null ? FROM_THE_BEGINNING : lastEventId;
    return events.after(last, audience(session.peer()), session.subscribedEvents()).stream()
        .map(mapper::event)
        .toList();
  }

  /// The audience of a peer. Only hosts have one; a vCenter may be called as another's host is.
  private static String audience(Peer peer) {
    return switch (peer) {
      case Peer.Host host -> host.guid();
      case Peer.Vcenter _ -> "";
    };
  }

  public List<StorageAlarm> getAlarms(@Nullable Long lastAlarmId) {
    long last = lastAlarmId == null ? FROM_THE_BEGINNING : lastAlarmId;
    return alarms.after(last).stream().map(mapper::alarm).toList();
  }
}
