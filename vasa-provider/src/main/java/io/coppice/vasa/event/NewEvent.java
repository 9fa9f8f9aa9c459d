package io.coppice.vasa.event;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event before it has an id.
///
/// @param change what happened to the object; null for events without one
/// @param objectType one that is an `EntityTypeEnum` value
/// @param messageId key into the Event catalog
/// @param parameters values for its message
/// @param audience guid of the only peer that gets it; null for every peer
/// @param virtualVolumes ids, for Rebind events
/// @param containers storage containers that it is about: registrations that are offered one of
///   them get it; none if it is about no single container
/// @param registration the only one whose peers get it; null for all
public record NewEvent(
    EventType type,
    @Nullable ChangeKind change,
    @Nullable ObjectType objectType,
    @Nullable String objectId,
    String messageId,
    Map<String, String> parameters,
    @Nullable String audience,
    List<String> virtualVolumes,
    Set<UUID> containers,
    @Nullable UUID registration) {

  private NewEvent(
      EventType type,
      @Nullable ChangeKind change,
      @Nullable ObjectType objectType,
      @Nullable String objectId,
      String messageId,
      Map<String, String> parameters) {
    this(
        type, change, objectType, objectId, messageId, parameters, null, List.of(), Set.of(), null);
  }

  public NewEvent {
    parameters = Map.copyOf(parameters);
    virtualVolumes = List.copyOf(virtualVolumes);
    containers = Set.copyOf(containers);
  }

  /// The same event about something in these containers.
  public NewEvent in(Collection<UUID> some) {
    return offered(Set.copyOf(some), registration);
  }

  /// The same event for one registration only, whether it is offered the containers or not.
  public NewEvent only(UUID one) {
    return offered(Set.of(), one);
  }

  private NewEvent offered(Set<UUID> in, @Nullable UUID one) {
    return new NewEvent(
        type,
        change,
        objectType,
        objectId,
        messageId,
        parameters,
        audience,
        virtualVolumes,
        in,
        one);
  }

  /// A storage container came, changed or went.
  public static NewEvent container(ChangeKind change, UUID container) {
    return new NewEvent(
            EventType.CONFIG,
            change,
            ObjectType.STORAGE_CONTAINER,
            container.toString(),
            "io.coppice.event.Container" + change.wireName(),
            Map.of("container", container.toString()))
        .in(Set.of(container));
  }

  /// An object came, changed or went.
  public static NewEvent config(
      ChangeKind change, ObjectType objectType, String objectId, String messageId) {
    return new NewEvent(EventType.CONFIG, change, objectType, objectId, messageId, Map.of());
  }

  /// A protocol endpoint came, changed or went.
  public static NewEvent protocolEndpoint(ChangeKind change, String endpointId) {
    return new NewEvent(
        EventType.CONFIG_PROTOCOL_ENDPOINT,
        change,
        ObjectType.PROTOCOL_ENDPOINT,
        endpointId,
        "io.coppice.event.ProtocolEndpoint" + change.wireName(),
        Map.of("protocolEndpoint", endpointId));
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
        ObjectType.PROTOCOL_ENDPOINT,
        endpointId,
        "io.coppice.event.Rebind",
        Map.of("protocolEndpoint", endpointId),
        host,
        virtualVolumes,
        Set.of(),
        null);
  }

  /// A profile that the array offers came, changed or went.
  public static NewEvent profile(ChangeKind change, String profile) {
    return new NewEvent(
        EventType.POLICY,
        change,
        ObjectType.CAPABILITY_PROFILE,
        profile,
        "io.coppice.event.Profile" + change.wireName(),
        Map.of("profile", profile));
  }

  /// A schema, a profile or the offer of a resource changed.
  public static NewEvent policy(
      ChangeKind change, ObjectType objectType, String objectId, String messageId) {
    return new NewEvent(EventType.POLICY, change, objectType, objectId, messageId, Map.of());
  }

  /// A matter that an administrator should know.
  public static NewEvent system(
      ObjectType objectType, String objectId, String messageId, Map<String, String> parameters) {
    return new NewEvent(EventType.SYSTEM, null, objectType, objectId, messageId, parameters);
  }

  Optional<String> objectTypeText() {
    return Optional.ofNullable(objectType).map(ObjectType::text);
  }

  Optional<String> changeName() {
    return Optional.ofNullable(change).map(ChangeKind::wireName);
  }
}
