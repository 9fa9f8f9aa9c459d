package io.coppice.vasa.alert.delivery;

import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertTexts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A message for one target.
///
/// @param id the same for each attempt, and after a restart
/// @param place of the target's messages, rising
/// @param event what happened
/// @param alert id; null for a test
/// @param at when it happened
public record Message(
    UUID id,
    UUID target,
    long place,
    Event event,
    @Nullable UUID alert,
    String severity,
    String kind,
    String object,
    AlertTexts.Sentences sentences,
    Instant at) {

  /// The reason of a message.
  public enum Event {
    RAISED,
    RESOLVED,
    TEST
  }

  /// The message about an alert. Its id follows from the target, the alert, its severity and the
  /// event, so that one which is sent again after a crash is known by it.
  static Message of(
      Event event,
      Alert alert,
      AlertTexts.Sentences sentences,
      UUID target,
      long place,
      Instant at) {
    String what = "%s/%s/%s/%s".formatted(target, alert.id(), alert.severity(), event);
    String name = alert.about().name();
    return new Message(
        UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8)),
        target,
        place,
        event,
        alert.id(),
        alert.severity().text(),
        alert.about().kind(),
        name == null ? alert.about().id() : name,
        sentences,
        at);
  }

  /// A message that says nothing but that it arrived.
  static Message test(UUID id, UUID target, Instant at) {
    return new Message(
        id,
        target,
        -1,
        Event.TEST,
        null,
        "warning",
        "alert-target",
        target.toString(),
        new AlertTexts.Sentences(
            "This is a test of the way of alerts.", "There is none.", "Nothing has to be done."),
        at);
  }
}
