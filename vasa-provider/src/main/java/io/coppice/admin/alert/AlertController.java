package io.coppice.admin.alert;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.alert.AlertNote;
import io.coppice.api.alert.AlertSilence;
import io.coppice.api.alert.AlertView;
import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertState;
import io.coppice.vasa.alert.AlertTexts;
import io.coppice.vasa.viewer.Viewer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The alerts. Reading them needs no database.
@RestController
final class AlertController {

  private static final int LONGEST_NOTE = 512;

  /// What the database can keep.
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private static final Orders<Alert> ORDERS =
      Orders.<Alert>ofIds("-since", Alert::id)
          .time("since", Alert::since)
          .text("severity", alert -> alert.severity().text());

  private final AlertBoard board;
  private final AlertTexts texts = new AlertTexts();
  private final InstantSource clock;

  AlertController(AlertBoard board, InstantSource clock) {
    this.board = board;
    this.clock = clock;
  }

  @GetMapping("/alerts")
  @WithinContainers
  Page<AlertView> list(
      @ParameterObject @SortedBy({"-since", "severity"}) ListQuery query,
      @RequestParam(required = false) @Nullable String severity,
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(required = false) @Nullable String about) {
    Optional<AlertSeverity> wanted =
        Optional.ofNullable(severity)
            .map(
                text -> chosen("severity", text, AlertSeverity.parse(text), AlertSeverity.texts()));
    Optional<AlertState> inState =
        Optional.ofNullable(state)
            .map(text -> chosen("state", text, AlertState.parse(text), AlertState.texts()));
    Instant now = clock.instant();
    List<Alert> some =
        board.all().stream()
            .filter(AlertController::isSeen)
            .filter(alert -> wanted.isEmpty() || alert.severity() == wanted.get())
            .filter(alert -> inState.isEmpty() || alert.state(now) == inState.get())
            .filter(alert -> about == null || about.equals(alert.about().id()))
            .toList();
    return query.page(some, ORDERS, this::view);
  }

  private static <T> T chosen(String name, String text, Optional<T> parsed, List<String> texts) {
    return parsed.orElseThrow(
        () ->
            RequestRejectedException.field(
                name, "expected one of %s, got '%s'".formatted(texts, text)));
  }

  private static boolean isSeen(Alert alert) {
    return Viewer.isWithin(alert.about().container());
  }

  @GetMapping("/alerts/{id}")
  @WithinContainers
  AlertView get(@PathVariable UUID id) {
    return view(
        board
            .find(id)
            .filter(AlertController::isSeen)
            .orElseThrow(() -> RequestRejectedException.notFound("alert", id)));
  }

  @PostMapping("/alerts/{id}/acknowledge")
  AlertView acknowledge(
      @PathVariable UUID id, @RequestBody(required = false) @Nullable AlertNote body) {
    String note = body == null ? null : body.note();
    if (note != null && (note.isBlank() || note.length() > LONGEST_NOTE)) {
      throw RequestRejectedException.field(
          "note",
          "expected a note of 1 to %d characters, not only blanks, got %d"
              .formatted(LONGEST_NOTE, note.length()));
    }
    return view(board.acknowledge(id, note));
  }

  /// Keeps an alert from being delivered until a time.
  @PostMapping("/alerts/{id}/mute")
  AlertView mute(@PathVariable UUID id, @RequestBody AlertSilence body) {
    Instant until = RequestRejectedException.requireField("until", body.until());
    if (until.isAfter(LAST)) {
      throw RequestRejectedException.field(
          "until", "expected a time to %s, got %s".formatted(LAST, until));
    }
    return view(board.mute(id, until));
  }

  @PostMapping("/alerts/{id}/unmute")
  AlertView unmute(@PathVariable UUID id) {
    return view(board.unmute(id));
  }

  private AlertView view(Alert alert) {
    AlertTexts.Sentences sentences = texts.of(alert);
    Alert.Acknowledgement known = alert.acknowledgement();
    Instant now = clock.instant();
    Instant muted = alert.mutedUntil();
    return new AlertView(
        alert.id(),
        alert.severity().text(),
        alert.state(now).text(),
        new AlertView.AlertObject(
            alert.about().kind(),
            alert.about().id(),
            alert.about().name(),
            alert.about().container()),
        alert.message(),
        sentences.cause(),
        sentences.effect(),
        sentences.remedy(),
        alert.since(),
        alert.resolved(),
        known == null
            ? null
            : new AlertView.AlertAcknowledgement(known.by(), known.at(), known.note()),
        muted != null && muted.isAfter(now) ? muted : null);
  }
}
