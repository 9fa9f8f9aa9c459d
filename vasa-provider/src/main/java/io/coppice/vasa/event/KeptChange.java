package io.coppice.vasa.event;

import io.coppice.vasa.actor.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A change as it is kept; see [NewChange] for the parts.
///
/// @param id rises by one with each change, in the order in which they became visible
/// @param actor who made it; null if it is older than the history
/// @param type text of a [ChangeTopic]
/// @param change `New`, `Update` or `Delete`
public record KeptChange(
    long id,
    Instant at,
    @Nullable Actor actor,
    String type,
    @Nullable String change,
    @Nullable String objectType,
    @Nullable String objectId,
    String messageId,
    Map<String, String> parameters,
    List<String> virtualVolumes) {

  public KeptChange {
    parameters = Map.copyOf(parameters);
    virtualVolumes = List.copyOf(virtualVolumes);
  }
}
