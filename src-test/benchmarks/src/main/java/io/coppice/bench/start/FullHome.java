package io.coppice.bench.start;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.harness.RestClient;
import io.coppice.kit.Callers;
import io.coppice.load.LoadSite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// Fills a home as a site would: machines of two vVols under a policy with a schedule, bound by
/// their host, and a snapshot of each machine after the other until there are enough.
final class FullHome {

  private static final int CALLERS = 16;
  private static final int VOLUMES_OF_A_MACHINE = 2;
  private static final long SIZE_MB = 64;
  private static final int EXPORTS = 200;
  private static final Duration TASK = Duration.ofMinutes(1);

  private final LoadSite site;
  private final EsxiHost host;
  private final RestClient rest;

  FullHome(LoadSite site) {
    this.site = site;
    this.host = site.addHost("esxi-start", false);
    this.rest = site.rest();
  }

  void fill(int volumes, int snapshots) {
    schedule();
    int machines = Math.max(1, volumes / VOLUMES_OF_A_MACHINE);
    atOnce("machines", machines, this::makeMachine);
    atOnce("snapshots", snapshots / VOLUMES_OF_A_MACHINE, i -> takeSnapshots(i % machines));
    rest.get("snapshots?kind=manual&limit=" + EXPORTS)
        .get("items")
        .forEach(snapshot -> export(snapshot.get("id").asString()));
  }

  /// Thirty days, so that no snapshot is due while figures are taken.
  private void schedule() {
    String policy =
        rest.post(
                "policies",
                """
                {"name": "monthly", "description": "", "snapshotInterval": "P30D",
                 "snapshotRetention": "P90D"}
                """)
            .get("id")
            .asString();
    for (String type : List.of("Config", "Data")) {
      rest.put(
          "containers/%s/default-policies/%s".formatted(site.container(), type),
          "{\"policy\": \"%s\"}".formatted(policy));
    }
  }

  private void makeMachine(int machine) {
    for (String type : List.of("Config", "Data")) {
      var task =
          host.client()
              .volumes()
              .createVirtualVolume(
                  site.container(),
                  type,
                  null,
                  SIZE_MB,
                  Map.of(
                      "VMW_VVolType", type,
                      "VMW_VVolName", "start-%d-%s".formatted(machine, type),
                      "VMW_VmID", "vm-%06d".formatted(machine)));
      String id = host.client().tasks().await(task, TASK).requireResult();
      host.client()
          .bindings()
          .bindVirtualVolume(List.of(id), BindingCalls.NORMAL)
          .getFirst()
          .requireHandle();
    }
  }

  private void takeSnapshots(int machine) {
    rest.post("vms/vm-%06d/snapshots?wait=60s".formatted(machine), "{\"name\": \"before\"}");
  }

  private void export(String snapshot) {
    rest.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.io.coppice:bench-start\"]}"
            .formatted(snapshot));
  }

  private static void atOnce(String what, int times, IntConsumer work) {
    long begin = System.nanoTime();
    Callers.run(CALLERS, times, work);
    System.out.printf("%d times %s in %.0f s%n", times, what, (System.nanoTime() - begin) / 1e9);
  }
}
