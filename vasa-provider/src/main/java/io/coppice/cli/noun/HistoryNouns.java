package io.coppice.cli.noun;

import io.coppice.api.history.RecordedHistory;
import io.coppice.api.history.RecordedSeries;
import io.coppice.api.history.SeriesStatistics;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.TextTable;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The nouns of what was recorded of rates, latencies and space, and of when space runs out.
final class HistoryNouns {

  private static final List<Flag> FLAGS =
      List.of(
          Flag.filter("window", "TIME", "how far back, such as 24h or 30d (1h by default)"),
          Flag.filter("from", "TIME", "from a time on"),
          Flag.filter("to", "TIME", "up to a time"),
          Flag.filter("step", "STEP", "10s, 1m, 10m or 1h (the shortest that is kept by default)")
              .choosing(List.of("10s", "1m", "10m", "1h")),
          Flag.filter("series", "NAMES", "some series, with commas (all by default)"));

  private static final List<Column<RecordedSeries>> COLUMNS =
      List.of(
          Column.of("SERIES", RecordedSeries::name),
          Column.number("MIN", one -> text(one, SeriesStatistics::min)),
          Column.number("AVG", one -> text(one, SeriesStatistics::avg)),
          Column.number("P95", one -> text(one, SeriesStatistics::p95)),
          Column.number("MAX", one -> text(one, SeriesStatistics::max)),
          Column.number("LAST", one -> text(one, SeriesStatistics::last)),
          Column.of(
              "UNIT", one -> one.unit().startsWith("B") ? one.unit().substring(1) : one.unit()),
          Column.<RecordedSeries>number("POINTS", HistoryNouns::known).onlyWide());

  private HistoryNouns() {}

  static Noun history() {
    return Noun.of(
        "history",
        "rates, latencies, space and lags of the past",
        verb("system", "/system/history", "shows those of all volumes together", null),
        verb("volume", "/volumes/{id}/history", "shows those of a plain volume", on(Kind.VOLUME)),
        verb("vvol", "/vvols/{id}/history", "shows those of a vVol", on(Kind.VVOL)),
        verb("vm", "/vms/{id}/history", "shows those of a virtual machine", on(Kind.VM)),
        verb("host", "/hosts/{id}/history", "shows rates and latencies of a host", on(Kind.HOST)),
        verb(
            "initiator",
            "/initiators/{name}/history",
            "shows rates and latencies of one iSCSI name",
            Argument.path("INITIATOR", "name", "its iSCSI name")),
        verb(
            "container",
            "/containers/{id}/history",
            "shows those of a storage container",
            on(Kind.CONTAINER)),
        verb(
            "replication-group",
            "/replication/groups/{id}/history",
            "shows the lag of a group over the last day, and the bytes of its cycles",
            on(Kind.REPLICATION_GROUP),
            List.of()));
  }

  private static Argument on(Kind kind) {
    return Argument.of(kind, "id");
  }

  static Noun forecast() {
    return Noun.of(
        "forecast",
        "when space runs out",
        RestVerb.of("system", "GET /system/forecast", "tells when the pool is full").document(),
        RestVerb.of("container", "GET /containers/{id}/forecast", "tells when a quota is used up")
            .on(Argument.of(Kind.CONTAINER, "id"))
            .document());
  }

  private static Verb verb(String name, String path, String help, @Nullable Argument object) {
    return verb(name, path, help, object, FLAGS);
  }

  private static Verb verb(
      String name, String path, String help, @Nullable Argument object, List<Flag> flags) {
    return new Verb(
        name,
        help,
        object == null ? List.of() : List.of(object),
        flags,
        List.of("GET " + path),
        (inputs, session) -> show(filledIn(path, object, inputs), flags, inputs, session));
  }

  private static String filledIn(String path, @Nullable Argument object, Inputs inputs) {
    if (object == null) {
      return path;
    }
    Kind kind = object.kind();
    String id = kind == null ? inputs.need(object.label()) : inputs.id(object.label(), kind);
    return id == null ? path : path.replace("{" + object.variable() + "}", RestCall.segment(id));
  }

  private static void show(String path, List<Flag> flags, Inputs inputs, ClientSession session) {
    RestCall call = RestCall.get(path);
    for (Flag flag : flags) {
      String value = inputs.text(flag.name());
      String parameter = flag.query();
      if (value != null && parameter != null) {
        call = call.with(parameter, value);
      }
    }
    session.change(call).ifPresent(answer -> print(answer, session));
  }

  private static void print(JsonNode answer, ClientSession session) {
    OutputFormat format = session.common().format();
    if (format == OutputFormat.JSON || format == OutputFormat.YAML) {
      session.printSheet(answer);
      return;
    }
    RecordedHistory found = Notation.as(answer, RecordedHistory.class);
    session
        .surroundings()
        .out()
        .print(TextTable.of(COLUMNS, found.series(), format == OutputFormat.WIDE));
    session.say("from %s to %s by steps of %s".formatted(found.from(), found.to(), found.step()));
    if (found.obstacle() != null) {
      session.say("note: nothing is recorded now: " + found.obstacle());
    }
  }

  private static @Nullable Long known(RecordedSeries series) {
    return series.values().stream().filter(value -> value != null).count();
  }

  private static @Nullable String text(
      RecordedSeries series, ToDoubleFunction<SeriesStatistics> which) {
    SeriesStatistics statistics = series.statistics();
    if (statistics == null) {
      return null;
    }
    double value = which.applyAsDouble(statistics);
    return series.unit().startsWith("B")
        ? ByteSize.text(Math.round(value))
        : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
