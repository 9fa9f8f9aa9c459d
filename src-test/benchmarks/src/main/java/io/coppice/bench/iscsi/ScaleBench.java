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
import io.coppice.harness.Mismatch;
import io.coppice.kit.Latencies;
import io.coppice.kit.Markdown;
import io.coppice.kit.Tool;
import io.coppice.load.ProviderCost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `coppice bench scale`: many bound subsidiary units on one endpoint, from the bind to the first
/// I/O, in memory, and how evenly they are served; and many sessions with a few commands each.
public final class ScaleBench {

  private static final Duration TASK = Duration.ofSeconds(60);
  private static final int BLOCK = 4096;
  private static final int SECTOR = 512;
  private static final int WARM_UP = 100;
  private static final long SIZE = 1L << 30;
  private final Product product;
  private final Latencies latencies = Latencies.forOneThread();

  private ScaleBench(Product product) {
    this.product = product;
  }

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench scale",
        new ScaleOptions(),
        arguments,
        options -> options.inFolder(folder -> run(options, folder)));
  }

  private static int run(ScaleOptions options, Path folder) throws IOException {
    try (Product product = Product.start(options.providerJar(), folder, "8GB")) {
      ScaleBench bench = new ScaleBench(product);
      bench.units(options.units(), options.neighbours(), options.time());
      bench.sessions(options.sessions(), options.depth(), options.time());
    }
    return 0;
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
        latencies.reset();
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
      latencies.record(System.nanoTime() - start);
    }
  }

  private void print(int units, double bytes) {
    System.out.print(
        "\n"
            + Markdown.header(
                "Bound units on one endpoint",
                "From the bind call to the end of the first READ, median",
                "99 %",
                "Live heap per idle unit")
            + Markdown.row(
                units,
                "%.1f ms".formatted(latencies.millis(50)),
                "%.1f ms".formatted(latencies.millis(99)),
                "%.1f KiB".formatted(bytes / 1024))
            + "\n");
  }

  private long liveBytes() {
    return ProviderCost.liveHeap(product.process().pid());
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
      Latencies took = outcome.latencies();
      System.out.print(
          Markdown.header(
                  "Sessions, commands each, for",
                  "Commands ended",
                  "Errors",
                  "Per second",
                  "Median",
                  "99 %",
                  "99 % / median")
              + Markdown.row(
                  "%d, %d, %d s".formatted(sessions, depth, time.toSeconds()),
                  outcome.ended(),
                  outcome.errors(),
                  "%.0f".formatted(outcome.ended() / (time.toNanos() / 1e9)),
                  "%.2f ms".formatted(took.millis(50)),
                  "%.2f ms".formatted(took.millis(99)),
                  "%.1f".formatted(took.millis(99) / took.millis(50))));
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
