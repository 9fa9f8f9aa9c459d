package io.coppice.bench.vasa;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.harness.RestClient;
import io.coppice.kit.Callers;
import io.coppice.load.Figures;
import io.coppice.load.LoadSite;
import io.coppice.load.ProviderRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/// Many volumes and machines: how long queries take, and which statements of the database are slow.
final class SizeBench {

  private static final int CALLERS = 16;
  private static final int ROUNDS = 50;
  private static final int VOLUMES_OF_A_MACHINE = 5;
  private static final int BATCH = 16;

  private final LoadSite site;
  private final int slowMillis;
  private final Figures figures = new Figures();
  private final ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();

  SizeBench(LoadSite site, int slowMillis) {
    this.site = site;
    this.slowMillis = slowMillis;
  }

  /// @return whether no call failed and no statement was slow
  boolean run(int volumes) throws IOException {
    EsxiHost host = site.addHost("esxi-size", false);
    int machines = volumes / VOLUMES_OF_A_MACHINE;
    long start = System.nanoTime();
    Callers.run(CALLERS, machines, machine -> makeOne(host, machine));
    System.out.printf(
        "%d volumes of %d machines made in %.0f s by %d callers%n",
        ids.size(), machines, (System.nanoTime() - start) / 1e9, CALLERS);
    try (ProviderRows rows = ProviderRows.of(site.provider().home())) {
      rows.execute("analyze");
      logSlow();
      rows.execute("create temp table earlier as select * from pg_stat_user_tables");
      queries(host, machines);
      figures.print(System.out);
      System.out.println("table, sequential scans, rows that they read, index scans:");
      rows.lines(
              """
              select s.relname, s.seq_scan - e.seq_scan, s.seq_tup_read - e.seq_tup_read,
                     s.idx_scan - e.idx_scan
                from pg_stat_user_tables s join earlier e using (relid)
               where s.seq_scan > e.seq_scan or s.idx_scan > e.idx_scan order by 3 desc limit 8
              """)
          .forEach(line -> System.out.println("  " + line));
    }
    List<String> slow = log().stream().filter(line -> line.contains("duration: ")).toList();
    System.out.printf("%d statements took %d ms or more%n", slow.size(), slowMillis);
    slow.stream().limit(10).forEach(line -> System.out.println("  " + line));
    figures.errors().stream().limit(10).forEach(System.out::println);
    return slow.isEmpty() && figures.errors().isEmpty();
  }

  /// Has the server write slow statements into its log from now on, and none before. Its account is
  /// no superuser, which could tell it so.
  private void logSlow() throws IOException {
    Path home = site.provider().home();
    Files.writeString(
        home.resolve("database/postgresql.conf"),
        "\nlog_min_duration_statement = %d\n".formatted(slowMillis),
        StandardOpenOption.APPEND);
    String server = Long.toString(ProviderRows.serverPid(home));
    Commands.Outcome sent = Commands.run(10, List.of("kill", "-HUP", server));
    if (sent.exitCode() != 0) {
      throw new Mismatch("expected the database to read its settings: " + sent.output());
    }
  }

  private List<String> log() throws IOException {
    Path file = site.provider().home().resolve("log/postgres.log");
    try (Stream<String> lines = Files.lines(file)) {
      return lines.toList();
    }
  }

  private void makeOne(EsxiHost host, int machine) {
    for (int i = 0; i < VOLUMES_OF_A_MACHINE; i++) {
      String type = i == 0 ? "Config" : "Data";
      ids.add(
          Volumes.create(
              host,
              site.container(),
              type,
              Map.of(
                  "VMW_VVolType",
                  type,
                  "VMW_VVolName",
                  "size-%d-%d".formatted(machine, i),
                  "VMW_VmID",
                  "vm-" + machine)));
    }
  }

  private void queries(EsxiHost host, int machines) {
    List<String> all = List.copyOf(ids);
    RestClient rest = site.rest();
    var volumes = host.client().volumes();
    String container = site.container();
    for (int i = 0; i < ROUNDS; i++) {
      String machine = "vm-" + (i * 37 % machines);
      int at = i * 101 % (all.size() - BATCH);
      List<String> batch = all.subList(at, at + BATCH);
      timed(
          "queryVirtualVolume of a machine",
          () -> volumes.queryVirtualVolume(Map.of("VMW_VmID", machine)));
      timed(
          "queryVirtualVolume by name",
          () ->
              volumes.queryVirtualVolume(
                  Map.of("VMW_VVolName", "size-%s-1".formatted(machine.substring(3)))));
      timed("queryVirtualVolumeInfo of 16", () -> volumes.queryVirtualVolumeInfo(batch));
      timed("spaceStatsForVirtualVolume of 16", () -> volumes.spaceStatsForVirtualVolume(batch));
      timed(
          "spaceStatsForStorageContainer",
          () -> host.client().inventory().spaceStatsForStorageContainer(container, List.of()));
      timed("REST /vvols, 100 of them", () -> rest.get("vvols?limit=100"));
      timed("REST /vvols of a machine", () -> rest.get("vvols?vm=" + machine));
      timed("REST /vms, 100 of them", () -> rest.get("vms?limit=100"));
      timed("REST /vms/{id}", () -> rest.get("vms/" + machine));
      timed("REST /containers", () -> rest.get("containers"));
      timed("REST /jobs, 100 of them", () -> rest.get("jobs?limit=100"));
    }
    for (int i = 0; i < 3; i++) {
      timed(
          "queryVirtualVolume of a container",
          () -> volumes.queryVirtualVolume(Map.of("VMW_ContainerId", container)));
    }
  }

  private void timed(String query, Runnable work) {
    long start = System.nanoTime();
    try {
      work.run();
      figures.ended(query, System.nanoTime() - start);
    } catch (RuntimeException e) { // the bench reports it at its end
      figures.failed(query, e);
    }
  }
}
