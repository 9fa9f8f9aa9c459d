package io.coppice.bench.iscsi;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.kit.Markdown;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Bound units of one endpoint beside each other, and how evenly they are served: each with one
/// command at a time, alone and while one more unit is flooded in a session that some of them use
/// too.
final class Neighbours {

  private static final int FLOOD_DEPTH = 64;
  private static final int SESSIONS = 4;
  private static final int SECTOR = 512;

  /// So that all of one session, and the flood, fit into its command window.
  private static final int IN_ONE_SESSION = 60;

  /// What is read and written of each unit: written before, so that reads meet the device.
  private static final int BYTES = 4 << 20;

  private final InetSocketAddress portal;
  private final EsxiHost host;
  private final List<String> ids;

  /// @param ids of virtual volumes; the last is the one that is flooded
  Neighbours(InetSocketAddress portal, EsxiHost host, List<String> ids) {
    this.portal = portal;
    this.host = host;
    this.ids = ids;
  }

  /// @param time for all runs together
  void run(Duration time) {
    List<VvolDisk> disks = host.bind(ids);
    for (VvolDisk disk : disks) {
      fill(disk.unit());
    }
    List<Lun> luns = disks.stream().map(VvolDisk::lun).toList();
    System.out.print(
        Markdown.header(
            "Units with one command each, sessions",
            "Beside",
            "Per second and unit, least / median / most",
            "Jain's index",
            "Median",
            "99 %",
            "Flooded unit, per second"));
    Duration part = time.dividedBy(4);
    measure(luns, Math.min(IN_ONE_SESSION, luns.size() - 1), 1, part);
    measure(luns, luns.size() - 1, SESSIONS, part);
    host.unbind(disks);
  }

  private static void fill(LogicalUnit unit) {
    int piece = 1 << 20;
    for (int at = 0; at < BYTES; at += piece) {
      unit.write(at / SECTOR, piece / SECTOR, DriverClient.randomBytes(piece));
    }
  }

  private void measure(List<Lun> luns, int count, int sessions, Duration time) {
    List<IscsiPath> paths = new ArrayList<>();
    try {
      for (int i = 0; i < sessions; i++) {
        paths.add(
            IscsiPath.open(
                portal,
                host.path().target(),
                LoginSettings.of(host.initiatorName(), 100 + i),
                new WireCounters()));
      }
      List<LogicalUnit> units = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        units.add(ready(paths.get(i % sessions), luns.get(i)));
      }
      LogicalUnit flooded = ready(paths.getFirst(), luns.getLast());
      new Crowd(units, 1, BYTES).run(Duration.ofSeconds(2)); // warms up
      print(sessions, new Crowd(units, 1, BYTES).run(time), time, null);
      Crowd crowd = new Crowd(List.of(flooded), FLOOD_DEPTH, BYTES);
      CompletableFuture<Crowd.Outcome> flood =
          CompletableFuture.supplyAsync(() -> crowd.run(time), Thread.ofPlatform()::start);
      Crowd.Outcome beside = new Crowd(units, 1, BYTES).run(time);
      print(sessions, beside, time, flood.join());
    } finally {
      paths.forEach(IscsiPath::close);
    }
  }

  private static LogicalUnit ready(IscsiPath path, Lun lun) {
    LogicalUnit unit = new LogicalUnit(path, lun);
    unit.clearAttentions();
    unit.testUnitReady();
    return unit;
  }

  private static void print(
      int sessions, Crowd.Outcome outcome, Duration time, Crowd.@Nullable Outcome flood) {
    double seconds = time.toNanos() / 1e9;
    long[] each = outcome.perUnit().clone();
    Arrays.sort(each);
    System.out.print(
        Markdown.row(
            "%d, %d".formatted(each.length, sessions),
            flood == null ? "nobody" : "one unit with " + FLOOD_DEPTH + " commands",
            "%.0f / %.0f / %.0f"
                .formatted(
                    each[0] / seconds,
                    each[each.length / 2] / seconds,
                    each[each.length - 1] / seconds),
            "%.3f".formatted(jain(each)),
            "%.2f ms".formatted(outcome.latencies().millis(50)),
            "%.2f ms".formatted(outcome.latencies().millis(99)),
            flood == null ? "" : "%.0f".formatted(flood.ended() / seconds)));
    if (outcome.errors() > 0 || flood != null && flood.errors() > 0) {
      System.out.printf("errors: %d%n", outcome.errors() + (flood == null ? 0 : flood.errors()));
    }
  }

  /// 1 where all are alike, 1 / n where one has all.
  private static double jain(long[] each) {
    double sum = LongStream.of(each).sum();
    double squares = LongStream.of(each).mapToDouble(one -> (double) one * one).sum();
    return squares == 0 ? 0 : sum * sum / (each.length * squares);
  }
}
