package io.coppice.cli.command;

import io.coppice.api.iscsi.TrafficTotal;
import io.coppice.api.iscsi.VolumeTraffic;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.output.TextTable;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Verb;
import java.io.PrintStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `top`: the volumes that hosts use most, again and again, from the differences of counters.
public final class TopCommand {

  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final int SHOWN = 20;

  /// The cursor to the first place, and everything behind it erased (ECMA-48).
  private static final String CLEAR = "\u001b[H\u001b[J";

  private static final Map<String, ToDoubleFunction<TrafficRate>> ORDERS =
      Map.of(
          "iops", TrafficRate::iops,
          "bandwidth", TrafficRate::bandwidth,
          "latency", TrafficRate::latency);

  private static final List<Column<TrafficRate>> COLUMNS =
      List.of(
          Column.of("VOLUME", rate -> rate.name() == null ? rate.vvol() : rate.name()),
          Column.number("READS/s", rate -> number(rate.read().iops())),
          Column.number("WRITES/s", rate -> number(rate.write().iops())),
          Column.number("READ/s", rate -> ByteSize.text((long) rate.read().bandwidth())),
          Column.number("WRITTEN/s", rate -> ByteSize.text((long) rate.write().bandwidth())),
          Column.number("READ ms", rate -> millis(rate.read())),
          Column.number("WRITE ms", rate -> millis(rate.write())),
          Column.<TrafficRate>of("ID", TrafficRate::vvol).onlyWide());

  private TopCommand() {}

  public static Verb verb() {
    return new Verb(
        "top",
        "shows the volumes that hosts use most, until you stop it",
        List.of(),
        List.of(
            Flag.of("--interval", "TIME", "time between two looks (2s by default)"),
            Flag.of("--count", "N", "how many times to show them (until you stop it by default)"),
            Flag.of("--by", "ORDER", "iops (the default), bandwidth or latency"),
            Flag.of("--rows", "N", "most volumes shown (20 by default)")),
        List.of("GET /traffic", "GET /traffic/total"),
        TopCommand::run);
  }

  private static void run(Inputs inputs, ClientSession session) {
    Duration interval = interval(inputs);
    Comparator<TrafficRate> order = order(Objects.requireNonNullElse(inputs.text("--by"), "iops"));
    Integer rows = inputs.number("--rows");
    Integer count = inputs.number("--count");
    if (session.common().dryRun()) {
      session.change(RestCall.get("/traffic"));
      session.change(RestCall.get("/traffic/total"));
      return;
    }
    Look before = Look.now(session);
    for (int shown = 0; count == null || shown < count; shown++) {
      pause(interval);
      Look now = Look.now(session);
      show(session, now.since(before, order, rows == null ? SHOWN : rows));
      before = now;
    }
  }

  private static Duration interval(Inputs inputs) {
    String typed = Objects.requireNonNullElse(inputs.text("--interval"), "2s");
    Duration interval = TimeSpan.parse("--interval", typed);
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw CommandFailedException.usage("expected --interval of 200 ms to 1 h, got '%s'", typed);
    }
    return interval;
  }

  private static Comparator<TrafficRate> order(String typed) {
    @Nullable ToDoubleFunction<TrafficRate> by = ORDERS.get(typed);
    if (by == null) {
      throw CommandFailedException.usage(
          "expected --by iops, bandwidth or latency, got '%s'", typed);
    }
    return Comparator.comparingDouble(by)
        .reversed()
        .thenComparing(rate -> String.valueOf(rate.vvol()));
  }

  /// The counters at one moment.
  private record Look(TrafficTotal total, Map<UUID, VolumeTraffic> volumes) {

    static Look now(ClientSession session) {
      Map<UUID, VolumeTraffic> volumes = new HashMap<>();
      PagedList.read(session.connection(), RestCall.get("/traffic"), null).items().stream()
          .map(one -> Notation.as(one, VolumeTraffic.class))
          .forEach(one -> volumes.put(one.vvol(), one));
      return new Look(
          Notation.as(
              session.connection().send(RestCall.get("/traffic/total")), TrafficTotal.class),
          volumes);
    }

    /// The rates since an earlier look, of the volumes that were used.
    TrafficRates since(Look before, Comparator<TrafficRate> order, int rows) {
      Stream<TrafficRate> rates =
          volumes.values().stream()
              .map(one -> TrafficRate.between(before.volumes.get(one.vvol()), one));
      return new TrafficRates(
          total.at(),
          TrafficRate.between(before.total, total),
          rates.filter(rate -> rate.iops() > 0).sorted(order).limit(rows).toList());
    }
  }

  private static void show(ClientSession session, TrafficRates rates) {
    PrintStream out = session.surroundings().out();
    OutputFormat format = session.common().format();
    switch (format) {
      case JSON -> out.println(Notation.line(Notation.tree(rates)));
      case YAML -> out.print("---\n" + Notation.yaml(Notation.tree(rates)));
      case NAME -> rates.volumes().forEach(rate -> out.println(rate.vvol()));
      case TABLE, WIDE -> {
        out.print(Surroundings.isTerminal(1) ? CLEAR : "");
        out.println(headline(rates));
        out.println(TextTable.of(COLUMNS, rates.volumes(), format == OutputFormat.WIDE));
      }
    }
    out.flush();
  }

  private static String headline(TrafficRates rates) {
    TrafficRate total = rates.total();
    return "%s  %s reads/s, %s/s, %s ms  %s writes/s, %s/s, %s ms"
        .formatted(
            rates.at().truncatedTo(ChronoUnit.SECONDS),
            number(total.read().iops()),
            ByteSize.text((long) total.read().bandwidth()),
            millis(total.read()),
            number(total.write().iops()),
            ByteSize.text((long) total.write().bandwidth()),
            millis(total.write()));
  }

  private static String number(double rate) {
    return "%.0f".formatted(rate);
  }

  private static String millis(TrafficRate.Direction direction) {
    return direction.iops() == 0
        ? "-"
        : "%.2f".formatted(direction.latency() / 1000).replace(',', '.');
  }

  private static void pause(Duration interval) {
    try {
      TimeUnit.NANOSECONDS.sleep(interval.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(ExitStatus.OK, "stopped");
    }
  }
}
