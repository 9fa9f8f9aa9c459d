package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Markdown;
import io.coppice.kit.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Costs of the first lap of the log around a pool: our own target on a pool all of which was
/// written, beside one of which nothing is prepared, one directly after its start with the settings
/// that it comes with, and that one when its zones are prepared. In turn; whoever is not measured
/// stands still, so that nobody prepares anything at another one's cost.
final class Laps {

  private static final List<Load> LOADS =
      List.of(
          Load.randomWrite(1),
          Load.randomWrite(32),
          new Load("8 KiB random 70/30, depth 32", 70, 8192, false, 32),
          new Load("1 MiB sequential write, depth 32", 0, 1 << 20, true, 32));

  private static final Duration PREPARED = Duration.ofMinutes(5);

  private final Client client;
  private final int rounds;
  private final Duration time;
  private final Content content;

  /// Fills a unit.
  interface Content {
    void write(Product product, int lun);
  }

  private record Lane(String name, Side side) {

    void signal(String which) {
      Commands.run(10, List.of("kill", "-" + which, Long.toString(side.pid())));
    }
  }

  Laps(Client client, int rounds, Duration time, Content content) {
    this.client = client;
    this.rounds = rounds;
    this.time = time;
    this.content = content;
  }

  /// @param size of the units, in bytes
  void run(Path jar, Path folder, String pool, long size) throws IOException {
    try (Product written = Product.start(jar, folder.resolve("written"), pool);
        Product bare =
            Product.start(jar, folder.resolve("bare"), pool, "--coppice.pool.prepare.ahead=0B")) {
      int lun = unit(written, size);
      written.beginSecondLap();
      Lane second = new Lane("second lap", written.side(lun));
      Lane first = new Lane("first lap, nothing prepared", bare.side(unit(bare, size)));
      warmUp(second);
      warmUp(first);
      second.signal("STOP");
      first.signal("STOP");
      try (Product fresh = Product.start(jar, folder.resolve("fresh"), pool)) {
        compare(second, first, fresh, size);
      } finally {
        second.signal("CONT");
        first.signal("CONT");
      }
    }
  }

  /// Everybody but `fresh` stands still, and does so afterwards.
  private void compare(Lane second, Lane first, Product fresh, long size) throws IOException {
    Side side = fresh.side(unit(fresh, size));
    Lane after = new Lane("directly after up", side);
    try {
      after.signal("STOP");
      table(List.of(second, first, after));
      after.signal("CONT");
      awaitPrepared(fresh);
      after.signal("STOP");
      table(List.of(second, new Lane("prepared", side)));
    } finally {
      after.signal("CONT");
    }
  }

  private int unit(Product product, long size) {
    int lun = product.unit(size);
    content.write(product, lun);
    return lun;
  }

  private void warmUp(Lane lane) {
    client.run(lane.side(), Load.randomWrite(32), time.multipliedBy(2));
    client.run(lane.side(), Load.randomWrite(1), time.multipliedBy(2));
  }

  private void table(List<Lane> lanes) {
    List<String> columns = new ArrayList<>(List.of("Work"));
    lanes.forEach(lane -> columns.add(lane.name() + ", per second (range)"));
    columns.add("Ratio to the second lap");
    System.out.print("\n" + Markdown.header(columns.toArray(String[]::new)));
    for (Load load : LOADS) {
      row(load, lanes);
    }
  }

  private void row(Load load, List<Lane> lanes) {
    List<List<Double>> rates = new ArrayList<>();
    lanes.forEach(_ -> rates.add(new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < lanes.size(); i++) {
        int turn = (i + round) % lanes.size();
        Lane lane = lanes.get(turn);
        lane.signal("CONT");
        rates.get(turn).add(client.run(lane.side(), load, time).perSecond());
        lane.signal("STOP");
      }
    }
    List<String> cells = new ArrayList<>(List.of(load.name()));
    rates.forEach(measured -> cells.add(Spread.text("%.0f (%.0f-%.0f)", measured)));
    double second = Spread.median(rates.getFirst());
    cells.add(
        rates.stream()
            .skip(1)
            .map(measured -> "%.2f".formatted(Spread.median(measured) / second))
            .collect(Collectors.joining(" ")));
    System.out.print(Markdown.row(cells));
  }

  private static void awaitPrepared(Product product) throws IOException {
    long start = System.nanoTime();
    while (!Files.readString(product.process().log()).contains("free zones of the pool are")) {
      if (System.nanoTime() - start > PREPARED.toNanos()) {
        throw new Mismatch("expected the provider to say that zones are prepared, it did not");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Mismatch("interrupted", e);
      }
    }
  }
}
