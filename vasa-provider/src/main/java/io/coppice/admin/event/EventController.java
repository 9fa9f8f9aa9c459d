package io.coppice.admin.event;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.system.Occurrence;
import io.coppice.vasa.event.ChangeFilter;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.KeptChange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The events of the array: those after an id in their order, or else the newest first.
@RestController
final class EventController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /// What the database can compare.
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final ChangeHistory history;
  private final EventViews views;

  EventController(ChangeHistory history, EventViews views) {
    this.views = views;
    this.history = history;
  }

  /// @param actor name or kind of who made the change
  /// @param object id of what it is about
  /// @param since earliest time
  /// @param until first time that is too late
  record EventChoice(
      @Nullable String actor,
      @Nullable String object,
      @Nullable String type,
      @Nullable Instant since,
      @Nullable Instant until) {

    ChangeFilter filter() {
      return new ChangeFilter(
          actor, object, type == null ? null : topic(type), checked(since), checked(until));
    }

    private static @Nullable Instant checked(@Nullable Instant time) {
      if (time != null && (time.isBefore(FIRST) || time.isAfter(LAST))) {
        throw RequestRejectedException.field(
            time.isBefore(FIRST) ? "since" : "until",
            "expected a time from %s to %s, got %s".formatted(FIRST, LAST, time));
      }
      return time;
    }

    private static ChangeTopic topic(String type) {
      return ChangeTopic.parse(type)
          .orElseThrow(
              () ->
                  RequestRejectedException.field(
                      "type", "expected one of %s, got '%s'".formatted(ChangeTopic.texts(), type)));
    }
  }

  @GetMapping("/events")
  @WithinContainers
  Page<Occurrence> list(
      @RequestParam(defaultValue = "" + DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable Long cursor,
      @RequestParam(required = false) @Nullable Long after,
      @ParameterObject EventChoice choice) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, limit));
    }
    ChangeFilter filter = choice.filter();
    List<KeptChange> found =
        after == null
            ? history.newest(filter, cursor == null ? Long.MAX_VALUE : cursor, limit + 1)
            : history.following(filter, cursor == null ? after : cursor, limit + 1);
    boolean more = found.size() > limit;
    List<KeptChange> shown = more ? found.subList(0, limit) : found;
    return new Page<>(
        shown.stream().map(views::of).toList(),
        more ? Long.toString(shown.getLast().id()) : null,
        null);
  }
}
