package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.FreePorts;
import io.coppice.harness.RestClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A runbook between two providers: its check, its test, which a `kill -9` cuts, and its run.
class RunbookIT {

  private static final long SIZE = 16L << 20;

  @TempDir private Path folder;

  @Test
  void runbookIsTestedCutAndRun() throws Exception {
    try (RunningProvider a = start("a");
        RunningProvider b = start("b")) {
      RestClient first = rest(a);
      RestClient second = rest(b);
      String group = replicated(first, second, b);
      second.post(
          "hosts", "{\"name\": \"sandbox\", \"initiators\": [\"iqn.2026-11.test:sandbox\"]}");
      String runbook =
          "replication/runbooks/"
              + id(
                  second.post(
                      "replication/runbooks",
                      """
                      {"name": "lost", "steps": [{"groups": ["shop"]}], "holdFor": "PT24H",
                       "exports": [{"group": "shop", "host": "sandbox", "lun": 5}],
                       "exportTests": [{"group": "shop", "host": "sandbox"}]}
                      """));
      JsonNode check = second.post(runbook + "/check", "");
      assertThat(check.get("state").asString()).as(check.toString()).isEqualTo("succeeded");

      String test = id(second.post(runbook + "/test", ""));
      await(() -> state(second, runbook, test).equals("holding"));
      assertThat(second.get("exports").get("items")).hasSize(1);
      b.process().kill();
      b.process().start();
      b.process().awaitReady(RunningProvider.START_LIMIT);

      RestClient again = rest(b);
      await(() -> state(again, runbook, test).equals("cut"));
      assertThat(again.get("exports").get("items")).isEmpty();
      assertThat(again.get("volumes").get("items")).isEmpty();
      String whole = id(again.post(runbook + "/test", ""));
      await(() -> state(again, runbook, whole).equals("holding"));
      again.delete(runbook + "/test");
      await(() -> state(again, runbook, whole).equals("succeeded"));

      String run = id(again.post(runbook + "/run", ""));
      await(() -> state(again, runbook, run).equals("succeeded"));
      assertThat(again.get("replication/groups/" + group).get("state").asString())
          .isEqualTo("FAILEDOVER");
      assertThat(again.get("exports").get("items").get(0).get("lun").asInt()).isEqualTo(5);
      a.process().stop();
      b.process().stop();
    }
  }

  /// Pairs the two and replicates a volume.
  ///
  /// @return the group
  private static String replicated(RestClient first, RestClient second, RunningProvider b) {
    String code = second.post("replication/codes", "").get("code").asString();
    first.post(
        "replication/peers",
        "{\"address\": \"127.0.0.1:%d\", \"code\": \"%s\"}"
            .formatted(b.process().management().getPort(), code));
    String container = "{\"name\": \"%s\", \"quota\": %d}";
    second.post("containers", container.formatted("dr", 8 * SIZE));
    String here = id(first.post("containers", container.formatted("here", 8 * SIZE)));
    String volume =
        id(
            first.post(
                "volumes",
                "{\"name\": \"shop\", \"size\": %d, \"container\": \"%s\"}".formatted(SIZE, here)));
    String group =
        id(
            first.post(
                "replication/groups",
                "{\"name\": \"shop\", \"peer\": \"%s\", \"interval\": \"PT5S\", \"members\": [{\"volume\": \"%s\"}]}"
                    .formatted(second.get("system").get("pool").asString(), volume)));
    await(
        () ->
            second.get("replication/groups").get("items").toString().contains(group)
                && second.get("replication/groups/" + group).get("newest").isString());
    return group;
  }

  private static String id(JsonNode made) {
    return made.get("id").asString();
  }

  private static String state(RestClient rest, String runbook, String run) {
    return rest.get(runbook + "/runs/" + run).get("state").asString();
  }

  private static RestClient rest(RunningProvider provider) {
    return new RestClient(provider.process().management(), provider.process().adminToken());
  }

  private RunningProvider start(String name) {
    return RunningProvider.start(
        folder.resolve(name),
        "--coppice.pool.capacity=1GB",
        "--coppice.vasa.name=" + name,
        "--coppice.replication.address=127.0.0.1",
        "--coppice.replication.advertise=127.0.0.1",
        "--coppice.replication.port=" + FreePorts.take(1).getFirst());
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("60 s are over").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
