package io.coppice.vasa.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An event as it is kept; see [NewEvent] for the parts.
///
/// @param id rises by one with each event
/// @param change `EventConfigTypeEnum` value
public record Event(
    long id,
    Instant at,
    EventType type,
    @Nullable String change,
    @Nullable String objectType,
    @Nullable String objectId,
    String messageId,
    Map<String, String> parameters,
    List<String> virtualVolumes) {

  public Event {
    parameters = Map.copyOf(parameters);
    virtualVolumes = List.copyOf(virtualVolumes);
  }
}
