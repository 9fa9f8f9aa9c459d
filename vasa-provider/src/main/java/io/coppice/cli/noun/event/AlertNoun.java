package io.coppice.cli.noun.event;

import io.coppice.api.alert.AlertNote;
import io.coppice.api.alert.AlertSilence;
import io.coppice.api.alert.AlertView;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/// The alerts, which need a person.
public final class AlertNoun {

  private static final View<AlertView> ALERTS =
      View.of(
          AlertView.class,
          AlertView::id,
          Column.of("SINCE", AlertView::since),
          Column.of("SEVERITY", AlertView::severity),
          Column.of("STATE", AlertView::state),
          Column.of("CAUSE", AlertView::cause),
          Column.of("ID", AlertView::id),
          Column.<AlertView>of("KIND", alert -> alert.about().kind()).onlyWide(),
          Column.<AlertView>of("ABOUT", alert -> alert.about().id()).onlyWide(),
          Column.<AlertView>of("REMEDY", AlertView::remedy).onlyWide(),
          Column.<AlertView>of("RESOLVED", AlertView::resolved).onlyWide());

  private static final Argument ALERT = Argument.path("ALERT", "id", "its id");

  private AlertNoun() {}

  public static Noun noun() {
    return Noun.of(
        "alert",
        "what needs a person, and what to do",
        RestVerb.of("list", "GET /alerts", "lists alerts, the newest first")
            .with(
                Flag.filter("state", "STATE", "active, acknowledged, muted or resolved"),
                Flag.filter("severity", "SEVERITY", "warning or critical"),
                Flag.filter("about", "ID", "those about an object"))
            .sortedBy("since", "severity")
            .list(ALERTS),
        RestVerb.of("show", "GET /alerts/{id}", "shows cause, effect and remedy of an alert")
            .on(ALERT)
            .sheet(ALERTS),
        RestVerb.of(
                "acknowledge",
                "POST /alerts/{id}/acknowledge",
                "says that somebody looks after an alert")
            .on(ALERT)
            .with(Flag.of("--note", "TEXT", "what others should know"))
            .body(in -> in.text("--note") == null ? null : new AlertNote(in.text("--note")))
            .done("alert {ALERT} is acknowledged"),
        RestVerb.of("mute", "POST /alerts/{id}/mute", "keeps an alert from being delivered")
            .on(ALERT)
            .with(
                Flag.of("--until", "TIME", "the end of it: a time, or how long, such as 8h")
                    .needed())
            .body(in -> new AlertSilence(end(in.need("--until"))))
            .done("alert {ALERT} is muted"),
        RestVerb.of("unmute", "POST /alerts/{id}/unmute", "ends the silence of an alert")
            .on(ALERT)
            .done("alert {ALERT} is not muted any more"));
  }

  /// @throws CommandFailedException if it is neither a time nor a length of time
  private static Instant end(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException noTime) {
      return InstantSource.system()
          .instant()
          .truncatedTo(ChronoUnit.SECONDS)
          .plus(TimeSpan.parse("--until", text));
    }
  }
}
