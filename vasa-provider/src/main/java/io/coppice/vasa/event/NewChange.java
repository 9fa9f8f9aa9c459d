package io.coppice.vasa.event;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change before it is written to the history.
///
/// @param kind what happened to the object; null for what is about no object
/// @param objectId as REST names it
/// @param messageId key into the catalogs of [EventSentences]
/// @param parameters values for its sentence; names and ids as they were then, sizes in bytes
/// @param virtualVolumes ids, of a request to bind anew
/// @param container that of what it is about; null if it is about something in none, or in several
public record NewChange(
    ChangeTopic topic,
    @Nullable ChangeKind kind,
    @Nullable ObjectType objectType,
    @Nullable String objectId,
    String messageId,
    Map<String, String> parameters,
    List<String> virtualVolumes,
    @Nullable UUID container) {

  private static final String KEYS = "io.coppice.change.";

  public NewChange {
    parameters = Map.copyOf(parameters);
    virtualVolumes = List.copyOf(virtualVolumes);
  }

  /// A change of one object.
  public static NewChange of(
      ChangeTopic topic, ChangeKind kind, Subject subject, Map<String, String> parameters) {
    return new NewChange(
        topic,
        kind,
        subject.objectType(),
        subject.objectId(),
        KEYS + subject.message(),
        parameters,
        List.of(),
        null);
  }

  /// The same change of something in a storage container.
  public NewChange in(UUID own) {
    return new NewChange(
        topic, kind, objectType, objectId, messageId, parameters, virtualVolumes, own);
  }

  /// The object that a change is about.
  ///
  /// @param message last part of the key of its sentence
  public record Subject(ObjectType objectType, String objectId, String message) {}

  /// An event that vCenter gets too.
  ///
  /// @param named parameters that only administrators see
  static NewChange of(NewEvent event, Map<String, String> named) {
    Map<String, String> parameters = new HashMap<>(event.parameters());
    parameters.putAll(named);
    return new NewChange(
        ChangeTopic.of(event.type()),
        event.change(),
        event.objectType(),
        event.objectId(),
        event.messageId(),
        parameters,
        event.virtualVolumes(),
        event.containers().size() == 1 ? event.containers().iterator().next() : null);
  }
}
