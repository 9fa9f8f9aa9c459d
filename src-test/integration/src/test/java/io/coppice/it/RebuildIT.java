package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The database is lost; the pool is not.
class RebuildIT {

  /// What the database alone knew: the policy's name, what was checked and done when.
  private static final List<String> NOT_IN_THE_POOL =
      List.of("compliance", "policy", "next", "last", "lastError");

  @TempDir private Path folder;

  @Test
  void theInventoryComesBackFromThePoolAlone() throws IOException {
    ProviderProcess process;
    Map<String, JsonNode> before;
    try (RunningProvider provider = RunningProvider.start(folder);
        RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults())) {
      process = provider.process();
      furnish(site);
      before = inventory(provider.rest());
    }
    removeTree(process.home().resolve("database"));

    try (ProviderProcess refused = process.restartedWith(List.of())) {
      refused.start();
      assertThat(refusal(refused))
          .contains("belongs to the database", "this database is new", "coppice rebuild");
    }
    try (ProviderProcess rebuilding =
        process.restartedWith(List.of("--coppice.database.rebuild=true"))) {
      rebuilding.start();
      rebuilding.awaitReady(RunningProvider.START_LIMIT);
      assertThat(inventory(rest(rebuilding))).isEqualTo(before);
    }
  }

  /// Two containers, a policy, vVols with and without it, one of them bound, a snapshot, an export,
  /// a deleted volume.
  static void furnish(RegisteredSite site) {
    RestClient rest = site.provider().rest();
    rest.post("containers", "{\"name\": \"empty one\", \"quota\": 1073741824}");
    String policy =
        rest.post(
                "policies",
                "{\"name\": \"hourly\", \"description\": \"\", \"spaceEfficiency\": \"thick\","
                    + " \"snapshotInterval\": \"PT1H\", \"snapshotRetention\": \"P1D\"}")
            .get("id")
            .asString();
    rest.post(
        "volumes",
        "{\"name\": \"thick\", \"size\": 16777216, \"container\": \"%s\", \"policy\": \"%s\"}"
            .formatted(site.container(), policy));
    rest.patch("containers/" + site.container(), "{\"binTime\": \"P3D\"}");
    String deleted =
        rest.post(
                "volumes",
                "{\"name\": \"deleted\", \"size\": 1048576, \"container\": \"%s\"}"
                    .formatted(site.container()))
            .get("id")
            .asString();
    rest.delete("volumes/" + deleted);
    site.create("Config", 4, Map.of("VMW_VVolName", "machine", "VMW_VmID", "vm-1"));
    String data = site.create("Data", 16, Map.of("VMW_VVolName", "disk", "VMW_VmID", "vm-1"));
    site.write(data, 0, 7);
    site.snapshot(data);
    site.write(data, 0, 8);
    site.host().bind(data);
    site.provider()
        .exportPlainVolume(
            "plain", 8 << 20, "iqn.2026-11.test.host:one", "iqn.2026-11.test.host:two");
  }

  static Map<String, JsonNode> inventory(RestClient rest) {
    Map<String, JsonNode> inventory = new TreeMap<>();
    for (String path :
        List.of(
            "containers", "vvols", "snapshots", "vms", "bindings", "exports", "schedules", "bin")) {
      JsonNode page = rest.get(path);
      page.get("items").forEach(RebuildIT::leaveOutWhatThePoolDoesNotKnow);
      assertThat(page.get("items")).as(path).isNotEmpty();
      inventory.put(path, page.get("items"));
    }
    return inventory;
  }

  private static void leaveOutWhatThePoolDoesNotKnow(JsonNode item) {
    ((ObjectNode) item).remove(NOT_IN_THE_POOL);
  }

  /// What REST answers once the control plane has stopped.
  private static String refusal(ProviderProcess process) {
    process.awaitPortal(RunningProvider.START_LIMIT);
    long deadline = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
    String answer = "";
    while (!answer.contains("belongs") && System.nanoTime() < deadline) {
      try {
        process.awaitReady(Duration.ofSeconds(2));
        return "it is ready";
      } catch (Mismatch e) {
        answer = String.valueOf(e.getMessage());
      }
    }
    return answer;
  }

  private static RestClient rest(ProviderProcess process) {
    return new RestClient(process.management(), process.adminToken());
  }

  private static void removeTree(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
