package io.coppice.api.system;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An event.
///
/// @param sentence what happened, in English
/// @param actor who made the change; null if it is older than the record of actors
/// @param traceId of the request; null for none
/// @param type `Volume`, `Access`, `Config`, `Policy`, `ConfigProtocolEndpoint`, `Rebind` or
///   `System`
/// @param change `New`, `Update` or `Delete`; null for events that are about no object
/// @param message key into the message catalog
public record Occurrence(
    long id,
    Instant at,
    String sentence,
    Occurrence.@Nullable EventActor actor,
    String type,
    @Nullable String change,
    @Nullable String objectType,
    @Nullable String objectId,
    String message,
    Map<String, String> parameters,
    List<String> vvols,
    @Nullable String traceId) {

  /// The one who made a change.
  ///
  /// @param kind `rest`, `vasa`, or `coppice` for the provider itself
  /// @param name of the token; `vCenter` or `host` with its guid
  public record EventActor(String kind, String name) {}
}
