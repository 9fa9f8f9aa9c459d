package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Markdown;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Runs loads against us and the peer in turn, so that what disturbs one disturbs both, and prints
/// the medians as rows of a Markdown table.
final class Comparison {

  private final Client client;
  private final int rounds;
  private final Duration time;
  private final String peerName;

  Comparison(Client client, int rounds, Duration time, String peerName) {
    this.client = client;
    this.rounds = rounds;
    this.time = time;
    this.peerName = peerName;
  }

  /// @param serverMicros CPU time of the serving process for each I/O
  /// @param clientMicros the client's
  private record Reading(double perSecond, double serverMicros, double clientMicros) {}

  void header() {
    System.out.print(
        "\n"
            + Markdown.header(
                "Work",
                "Coppice, per second (range)",
                peerName + ", per second (range)",
                "Ratio",
                "CPU of the server per I/O, Coppice / " + peerName,
                "CPU of the client"));
  }

  /// A row; one that fails shows why and leaves the others alone.
  void row(Load load, Side ours, Side peer) {
    try {
      measure(load, ours, peer);
    } catch (Mismatch e) {
      System.out.printf("| %s | failed: %s | | | | |%n", load.name(), e.getMessage());
    }
  }

  private void measure(Load load, Side ours, Side peer) {
    List<Reading> own = new ArrayList<>();
    List<Reading> other = new ArrayList<>();
    client.run(ours, load, time.dividedBy(2));
    client.run(peer, load, time.dividedBy(2));
    for (int i = 0; i < rounds; i++) {
      if (i % 2 == 0) {
        own.add(read(load, ours));
        other.add(read(load, peer));
      } else {
        other.add(read(load, peer));
        own.add(read(load, ours));
      }
    }
    System.out.print(
        Markdown.row(
            load.name(),
            rate(own),
            rate(other),
            "%.2f".formatted(median(own, Reading::perSecond) / median(other, Reading::perSecond)),
            both(own, other, Reading::serverMicros),
            both(own, other, Reading::clientMicros)));
  }

  private Reading read(Load load, Side side) {
    Duration before = side.cpu();
    Client.Run run = client.run(side, load, time);
    double server = side.cpu().minus(before).toNanos() / 1e3 / run.ended();
    return new Reading(run.perSecond(), server, run.cpu().toNanos() / 1e3 / run.ended());
  }

  private static String rate(List<Reading> readings) {
    return Spread.text("%.0f (%.0f-%.0f)", all(readings, Reading::perSecond));
  }

  private static String both(
      List<Reading> own, List<Reading> other, ToDoubleFunction<Reading> micros) {
    return "%.1f / %.1f µs".formatted(median(own, micros), median(other, micros));
  }

  private static double median(List<Reading> readings, ToDoubleFunction<Reading> figure) {
    return Spread.median(all(readings, figure));
  }

  private static List<Double> all(List<Reading> readings, ToDoubleFunction<Reading> figure) {
    return readings.stream().map(figure::applyAsDouble).toList();
  }
}
