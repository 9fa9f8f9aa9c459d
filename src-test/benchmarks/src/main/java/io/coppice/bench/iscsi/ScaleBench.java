package io.coppice.bench.iscsi;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.DiscoveredTarget;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `coppice bench scale`: many bound subsidiary units on one endpoint, from the bind to the first
/// I/O, in memory, and how evenly they are served; and many sessions with a few commands each.
public final class ScaleBench {

  private static final Map<String, String> OPTIONS =
      Map.of(
          "provider-jar", "",
          "units", "1000",
          "sessions", "64",
          "depth", "8",
          "neighbours", "200",
          "seconds", "60",
          "folder", System.getProperty("java.io.tmpdir"));

  private static final Duration TASK = Duration.ofSeconds(60);
  private static final int BLOCK = 4096;
  private static final int SECTOR = 512;
  private static final int WARM_UP = 100;
  private static final long SIZE = 1L << 30;
  private static final Pattern LIVE_BYTES =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

  private final Product product;
  private final List<Double> millis = new ArrayList<>();

  private ScaleBench(Product product) {
    this.product = product;
  }

  public static void main(String[] arguments) throws IOException {
    try {
      run(new Arguments(arguments, OPTIONS));
    } catch (IllegalArgumentException e) {
      System.err.println("coppice bench scale: " + e.getMessage());
      System.exit(2);
    }
  }

  private static void run(Arguments options) throws IOException {
    int units = options.number("units", 1);
    int sessions = options.number("sessions", 1);
    Duration time = Duration.ofSeconds(options.number("seconds", 1));
    int depth = options.number("depth", 1);
    int neighbours = options.number("neighbours", 0);
    Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "coppice-bench");
    try (Product product = Product.start(Path.of(options.text("provider-jar")), folder, "8GB")) {
      ScaleBench bench = new ScaleBench(product);
      bench.units(units, Math.min(neighbours, units - 1), time);
      bench.sessions(sessions, depth, time);
    } finally {
      Folders.delete(folder);
    }
  }

  // --- bound units -----------------------------------------------------------------------------

  private void units(int units, int neighbours, Duration time) throws IOException {
    try (VCenter vcenter = new VCenter("vcenter.bench", ClientOptions.defaults(), new CallLog())) {
      vcenter.register(
          product.process().vasa().resolve("/vasa/version.xml"),
          "vasa",
          product.process().vasaPassword());
      vcenter.sync();
      try (EsxiHost host =
          EsxiHost.of(vcenter, "esxi-1", ClientOptions.defaults(), new CallLog())) {
        connect(host);
        System.out.printf("making %d virtual volumes ...%n", units);
        List<String> ids = volumes(host, units);
        bindAll(host, ids.subList(0, Math.min(WARM_UP, units)));
        host.unbindAll();
        millis.clear();
        long before = liveBytes();
        bindAll(host, ids);
        long after = liveBytes();
        print(units, (after - before) / (double) units);
        host.unbindAll();
        if (neighbours > 0) {
          new Neighbours(product.process().portal(), host, ids.subList(0, neighbours + 1))
              .run(time);
        }
      }
    }
  }

  private void connect(EsxiHost host) {
    host.openSession();
    DiscoveredTarget target =
        Discovery.sendTargets(product.process().portal(), LoginSettings.of(host.initiatorName(), 1))
            .stream()
            .filter(found -> found.name().endsWith(":pe"))
            .findFirst()
            .orElseThrow(() -> new Mismatch("expected discovery to show the endpoints' target"));
    host.connect(product.process().portal(), target.name());
  }

  private List<String> volumes(EsxiHost host, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, String> metadata = Map.of("VMW_VVolType", "Data", "VMW_VVolName", "bench-" + i);
      TaskInfo task =
          host.client()
              .volumes()
              .createVirtualVolume(product.container(), "Data", null, 1024, metadata);
      ids.add(host.client().tasks().await(task, TASK).requireResult());
    }
    return ids;
  }

  /// Binds one after the other, each with its own call, and reads each once: TEST UNIT READY, READ
  /// CAPACITY and a READ of 4 KiB, as a host begins.
  private void bindAll(EsxiHost host, List<String> ids) {
    for (String id : ids) {
      long start = System.nanoTime();
      VvolDisk disk = host.bind(id);
      disk.unit().read(0, BLOCK / SECTOR, SECTOR);
      millis.add((System.nanoTime() - start) / 1e6);
    }
  }

  private void print(int units, double bytes) {
    List<Double> sorted = millis.stream().sorted().toList();
    System.out.printf(
        "%n| Bound units on one endpoint | From the bind call to the end of the first READ, median"
            + " | 99 %% | Live heap per idle unit |%n|---|---|---|---|%n| %d | %.1f ms | %.1f ms |"
            + " %.1f KiB |%n%n",
        units, sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 99 / 100), bytes / 1024);
  }

  /// Bytes of the provider's heap that live, after a full collection.
  private long liveBytes() {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String pid = Long.toString(product.process().pid());
    String output = Commands.require(60, jcmd, pid, "GC.class_histogram");
    Matcher total = LIVE_BYTES.matcher(output);
    if (!total.find()) {
      throw new Mismatch("expected a total in the histogram of the heap, got " + output);
    }
    return Long.parseLong(total.group(1));
  }

  // --- many sessions ---------------------------------------------------------------------------

  private void sessions(int sessions, int depth, Duration time) {
    int lun = product.unit(SIZE);
    List<IscsiPath> paths = new ArrayList<>();
    try {
      for (int i = 1; i <= sessions; i++) {
        paths.add(product.login(i));
      }
      List<LogicalUnit> units = paths.stream().map(path -> Product.ready(path, lun)).toList();
      fill(units.getFirst());
      new Crowd(units, depth, SIZE).run(Duration.ofSeconds(3)); // warms up
      Crowd.Outcome outcome = new Crowd(units, depth, SIZE).run(time);
      System.out.printf(
          "| Sessions, commands each, for | Commands ended | Errors | Per second | Median | 99 %% |"
              + " 99 %% / median |%n|---|---|---|---|---|---|---|%n| %d, %d, %d s | %d | %d | %.0f"
              + " | %.2f ms | %.2f ms | %.1f |%n",
          sessions,
          depth,
          time.toSeconds(),
          outcome.ended(),
          outcome.errors(),
          outcome.ended() / (time.toNanos() / 1e9),
          outcome.percentileMillis(50),
          outcome.percentileMillis(99),
          outcome.percentileMillis(99) / outcome.percentileMillis(50));
    } finally {
      paths.forEach(IscsiPath::close);
    }
  }

  private static void fill(LogicalUnit unit) {
    int piece = 1 << 20;
    for (long at = 0; at < SIZE; at += piece) {
      unit.write(at / SECTOR, piece / SECTOR, DriverClient.randomBytes(piece));
    }
  }
}
