package io.coppice.bench.limits;

import io.coppice.bench.BenchOptions;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.kit.Latencies;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// `coppice bench limits`: how exactly a limit is kept under a flood of depth 64, and what the
/// flood does to another volume, in the same session and in another.
///
/// The neighbour is measured alone, beside as many I/Os as the limit allows but sent evenly, and
/// beside the flood, in short turns, and all turns are counted together, so that what else happens
/// on the machine falls on all three. What the flood does beyond the evenly sent I/Os is the
/// limit's doing; the rest is the price of those I/Os, which it lets through.
public final class LimitsBench {

  private static final String INITIATOR = "iqn.2026-11.test.bench:limits";
  private static final long SIZE = 256L << 20;
  private static final int BLOCK = 4096;
  private static final int SECTOR = 512;
  private static final int DEPTH = 64;
  private static final int SECONDS = 10;
  private static final int PAIRS = 25;
  private static final Duration RUN = Duration.ofMillis(300);

  /// @param bytes of one command of the flood
  private record Setting(String name, long maxIops, long maxBandwidth, int bytes) {
    double perSecond() {
      return maxIops > 0 ? maxIops : (double) maxBandwidth / bytes;
    }

    String json() {
      return maxIops > 0
          ? "{\"maxIops\": %d}".formatted(maxIops)
          : "{\"maxBandwidth\": %d}".formatted(maxBandwidth);
    }
  }

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("200 I/Os a second of 4 KiB", 200, 0, BLOCK),
          new Setting("1,000 I/Os a second of 4 KiB", 1000, 0, BLOCK),
          new Setting("20 MiB a second in 64 KiB", 0, 20 << 20, 64 << 10));

  private final RestClient rest;
  private final String container;
  private final String flooded;
  private final LogicalUnit first;
  private final LogicalUnit same;
  private final LogicalUnit other;

  private LimitsBench(RestClient rest, IscsiPath one, IscsiPath two, String container) {
    this.rest = rest;
    this.container = container;
    this.flooded = volume(0);
    volume(1);
    first = ready(one, 0);
    same = ready(one, 1);
    other = ready(two, 1);
    for (LogicalUnit unit : List.of(first, same)) {
      for (long mib = 0; mib < SIZE >> 20; mib++) {
        unit.write(mib * 2048, 2048, Flood.Work.randomBytes(1 << 20));
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench limits",
        new BenchOptions(),
        arguments,
        options -> options.inFolder(folder -> run(options, folder)));
  }

  private static int run(BenchOptions options, Path folder) {
    ProviderProcess provider =
        new ProviderProcess(
            options.providerJar(), folder.resolve("home"), List.of("--coppice.pool.capacity=4GB"));
    try {
      provider.start();
      provider.awaitReady(Duration.ofSeconds(120));
      run(provider);
      return 0;
    } finally {
      provider.stop();
    }
  }

  private static void run(ProviderProcess provider) {
    RestClient rest = new RestClient(provider.management(), provider.adminToken());
    String container =
        rest.post("containers", "{\"name\": \"bench\", \"quota\": %d}".formatted(8 * SIZE))
            .get("id")
            .asString();
    // An initiator is admitted once it may see a unit.
    String target = export(rest, make(rest, container), 2);
    try (IscsiPath one = login(provider, target, 1);
        IscsiPath two = login(provider, target, 2)) {
      LimitsBench bench = new LimitsBench(rest, one, two, container);
      bench.accuracy();
      bench.neighbour();
    }
  }

  private static IscsiPath login(ProviderProcess provider, String target, int port) {
    return IscsiPath.open(
        provider.portal(),
        target,
        LoginSettings.of(INITIATOR, port).withCommandTimeout(Duration.ofMinutes(1)),
        new WireCounters());
  }

  private static LogicalUnit ready(IscsiPath path, int lun) {
    LogicalUnit unit = new LogicalUnit(path, Lun.flat(lun));
    unit.testUnitReady();
    return unit;
  }

  private String volume(int lun) {
    String id = make(rest, container);
    export(rest, id, lun);
    return id;
  }

  private static String make(RestClient rest, String container) {
    return rest.post(
            "volumes",
            "{\"name\": \"bench-%s\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(UUID.randomUUID(), SIZE, container))
        .get("id")
        .asString();
  }

  private static String export(RestClient rest, String volume, int lun) {
    return rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false, \"lun\": %d}"
                .formatted(volume, INITIATOR, lun))
        .get("target")
        .asString();
  }

  private void limit(Setting setting) {
    rest.put("vvols/" + flooded + "/limits", setting.json());
  }

  private void accuracy() {
    System.out.printf(
        "%-30s %-6s %12s %14s %14s %8s%n",
        "limit, flood of depth 64", "", "mean /s", "least second", "most second", "refused");
    for (Setting setting : SETTINGS) {
      for (boolean writes : new boolean[] {false, true}) {
        limit(setting);
        try (Flood flood = new Flood(first, DEPTH, setting.bytes(), writes)) {
          pause(Duration.ofSeconds(1));
          List<Double> seconds = new ArrayList<>();
          for (int i = 0; i < SECONDS; i++) {
            seconds.add(rate(flood) / setting.perSecond());
          }
          System.out.printf(
              "%-30s %-6s %12.1f %13.1f%% %13.1f%% %8d%n",
              setting.name(),
              writes ? "writes" : "reads",
              seconds.stream().mapToDouble(s -> s).average().orElseThrow() * setting.perSecond(),
              100 * seconds.stream().min(Double::compare).orElseThrow(),
              100 * seconds.stream().max(Double::compare).orElseThrow(),
              flood.refused());
        }
      }
    }
  }

  /// Commands a second, over one second as long as it turned out to be.
  private static double rate(Flood flood) {
    long start = System.nanoTime();
    long before = flood.ended();
    pause(Duration.ofSeconds(1));
    return (flood.ended() - before) * 1e9 / (System.nanoTime() - start);
  }

  private void neighbour() {
    System.out.printf(
        "%n%-30s %-22s %18s %18s %18s %14s %14s%n",
        "flood held to",
        "neighbour, depth 1",
        "alone, 50/99 %",
        "evenly, 50/99 %",
        "flood, 50/99 %",
        "flood/alone",
        "flood/evenly");
    for (Setting setting : SETTINGS) {
      limit(setting);
      for (boolean writes : new boolean[] {false, true}) {
        row(setting, writes, same, "same session");
        row(setting, writes, other, "own session");
      }
    }
  }

  private void row(Setting setting, boolean writes, LogicalUnit unit, String session) {
    Latencies alone = Latencies.forOneThread();
    Latencies evenly = Latencies.forOneThread();
    Latencies flooded = Latencies.forOneThread();
    for (int i = 0; i < PAIRS; i++) {
      measure(unit, writes, alone);
      try (Evenly _ = new Evenly(first, setting.perSecond(), setting.bytes(), writes)) {
        pause(Duration.ofMillis(100));
        measure(unit, writes, evenly);
      }
      try (Flood _ = new Flood(first, DEPTH, setting.bytes(), writes)) {
        pause(Duration.ofMillis(100));
        measure(unit, writes, flooded);
      }
    }
    System.out.printf(
        "%-30s %-22s %s %s %s %s %s%n",
        setting.name(),
        (writes ? "writes, " : "reads, ") + session,
        times(alone),
        times(evenly),
        times(flooded),
        ratios(flooded, alone),
        ratios(flooded, evenly));
  }

  private static String times(Latencies took) {
    return "%8.0f %6.0f us".formatted(took.micros(50), took.micros(99));
  }

  private static String ratios(Latencies of, Latencies to) {
    return "%7.2f %6.2f".formatted(of.micros(50) / to.micros(50), of.micros(99) / to.micros(99));
  }

  /// Adds the times that commands of 4 KiB take one after the other.
  private static void measure(LogicalUnit unit, boolean writes, Latencies took) {
    long end = System.nanoTime() + RUN.toNanos();
    while (System.nanoTime() < end) {
      long lba = ThreadLocalRandom.current().nextLong(SIZE / BLOCK) * (BLOCK / SECTOR);
      long start = System.nanoTime();
      if (writes) {
        unit.write(lba, BLOCK / SECTOR, Flood.Work.randomBytes(BLOCK));
      } else {
        unit.read(lba, BLOCK / SECTOR, SECTOR);
      }
      took.record(System.nanoTime() - start);
    }
  }

  private static void pause(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
