package io.coppice.admin.system;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.system.Occurrence;
import io.coppice.vasa.event.Event;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.EventSentences;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The events of the array: those after an id in their order, or else the newest first.
@RestController
final class EventController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  private final EventLog events;
  private final EventSentences sentences = new EventSentences();

  EventController(EventLog events) {
    this.events = events;
  }

  @GetMapping("/events")
  Page<Occurrence> list(
      @RequestParam(defaultValue = "" + DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable Long cursor,
      @RequestParam(required = false) @Nullable Long after) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, limit));
    }
    List<Event> found =
        after == null
            ? events.newest(cursor == null ? Long.MAX_VALUE : cursor, limit + 1)
            : events.following(cursor == null ? after : cursor, limit + 1);
    boolean more = found.size() > limit;
    List<Event> shown = more ? found.subList(0, limit) : found;
    return new Page<>(
        shown.stream().map(this::view).toList(),
        more ? Long.toString(shown.getLast().id()) : null,
        null);
  }

  private Occurrence view(Event event) {
    return new Occurrence(
        event.id(),
        event.at(),
        sentences.of(event),
        event.type().wireName(),
        event.change(),
        event.objectType(),
        event.objectId(),
        event.messageId(),
        event.parameters(),
        event.virtualVolumes());
  }
}
