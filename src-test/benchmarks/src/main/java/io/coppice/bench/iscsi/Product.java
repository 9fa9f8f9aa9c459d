package io.coppice.bench.iscsi;

import io.coppice.bench.DiskFiles;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The whole product as a process of its own, on a pool as `coppice up` makes it, with plain
/// logical units for one initiator.
final class Product implements AutoCloseable {

  /// The name that fio's libiscsi engine logs in with unless it is told another one.
  static final String INITIATOR = "iqn.2019-04.org.fio:fio";

  private static final Duration START = Duration.ofSeconds(120);

  private final ProviderProcess process;
  private final RestClient rest;
  private final String container;
  private String target = "";

  private Product(ProviderProcess process) {
    this.process = process;
    this.rest = new RestClient(process.management(), process.adminToken());
    this.container =
        rest.post("containers", "{\"name\": \"bench\", \"quota\": %d}".formatted(1L << 42))
            .get("id")
            .asString();
  }

  /// @param pool capacity, as the setting takes it
  /// @param settings others, `--coppice.key=value`
  static Product start(Path jar, Path folder, String pool, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("--coppice.pool.capacity=" + pool);
    all.add("--coppice.pool.thin=false");
    ProviderProcess process = new ProviderProcess(jar, folder.resolve("home"), all);
    try {
      System.out.println("making a pool of " + pool + " ...");
      process.start();
      process.awaitReady(START);
      return new Product(process);
    } catch (RuntimeException e) {
      process.stop();
      throw e;
    }
  }

  /// Brings the pool where it is when the log has been around its file once: all of it was written.
  /// The process is another one afterwards.
  void beginSecondLap() throws IOException {
    System.out.println("writing over the pool's file once ...");
    process.stop();
    DiskFiles.writeOver(process.home().resolve("pool").resolve("pool"));
    process.start();
    process.awaitReady(START);
  }

  /// A unit, as clients reach it.
  Side side(int lun) {
    return new Side(process.portal().getPort(), target, lun, process.pid());
  }

  ProviderProcess process() {
    return process;
  }

  RestClient rest() {
    return rest;
  }

  String container() {
    return container;
  }

  /// Makes a thin volume and exports it.
  ///
  /// @return its logical unit number
  int unit(long sizeInBytes) {
    String volume =
        rest.post(
                "volumes",
                "{\"name\": \"bench-%s\", \"size\": %d, \"container\": \"%s\"}"
                    .formatted(UUID.randomUUID(), sizeInBytes, container))
            .get("id")
            .asString();
    var export =
        rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                .formatted(volume, INITIATOR));
    target = export.get("target").asString();
    return export.get("lun").asInt();
  }

  /// The name of the target with the plain units, once there is one.
  String target() {
    return target;
  }

  /// Logs in with the driver's own initiator.
  ///
  /// @param port of the initiator: sessions with the same one replace each other
  IscsiPath login(int port) {
    return IscsiPath.open(
        process.portal(),
        target,
        LoginSettings.of(INITIATOR, port).withCommandTimeout(Duration.ofMinutes(2)),
        new WireCounters());
  }

  static LogicalUnit ready(IscsiPath path, int lun) {
    LogicalUnit unit = new LogicalUnit(path, Lun.flat(lun));
    unit.clearAttentions();
    unit.testUnitReady();
    return unit;
  }

  /// Bytes of the pool that are needed, by the provider's own account.
  long usedBytes() {
    return rest.get("system").get("space").get("used").asLong();
  }

  @Override
  public void close() {
    process.stop();
  }
}
