package io.coppice.vasa.event;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An event before it has an id.
///
/// @param change what happened to the object; null for events without one
/// @param objectType `EntityTypeEnum` value
/// @param messageId key into the Event catalog
/// @param parameters values for its message
/// @param audience guid of the only peer that gets it; null: every peer
/// @param virtualVolumes ids, for Rebind events
public record NewEvent(
    EventType type,
    @Nullable Change change,
    @Nullable String objectType,
    @Nullable String objectId,
    String messageId,
    Map<String, String> parameters,
    @Nullable String audience,
    List<String> virtualVolumes) {

  public NewEvent {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(messageId, "messageId");
    parameters = Map.copyOf(parameters);
    virtualVolumes = List.copyOf(virtualVolumes);
  }

  /// An object came, changed or went.
  public static NewEvent config(
      Change change, String objectType, String objectId, String messageId) {
    return new NewEvent(
        EventType.CONFIG, change, objectType, objectId, messageId, Map.of(), null, List.of());
  }

  /// A protocol endpoint came, changed or went.
  public static NewEvent protocolEndpoint(Change change, String endpointId) {
    return new NewEvent(
        EventType.CONFIG_PROTOCOL_ENDPOINT,
        change,
        "ProtocolEndpoint",
        endpointId,
        "io.coppice.event.ProtocolEndpoint" + change.wireName(),
        Map.of("protocolEndpoint", endpointId),
        null,
        List.of());
  }

  /// A host is asked to bind virtual volumes through another protocol endpoint.
  ///
  /// @param host its guid
  /// @param endpointId the endpoint that they are bound through
  /// @param virtualVolumes `rfc4122.` and UUIDs, at least one
  public static NewEvent rebind(String host, String endpointId, List<String> virtualVolumes) {
    return new NewEvent(
        EventType.REBIND,
        null,
        "ProtocolEndpoint",
        endpointId,
        "io.coppice.event.Rebind",
        Map.of("protocolEndpoint", endpointId),
        host,
        virtualVolumes);
  }

  /// A schema, profile or what a resource offers changed.
  public static NewEvent policy(
      Change change, String objectType, String objectId, String messageId) {
    return new NewEvent(
        EventType.POLICY, change, objectType, objectId, messageId, Map.of(), null, List.of());
  }

  /// Something an administrator should know.
  public static NewEvent system(
      String objectType, String objectId, String messageId, Map<String, String> parameters) {
    return new NewEvent(
        EventType.SYSTEM, null, objectType, objectId, messageId, parameters, null, List.of());
  }

  Optional<String> changeName() {
    return Optional.ofNullable(change).map(Change::wireName);
  }
}
