package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.engine.check.CheckCommand;
import io.coppice.harness.Commands;
import io.coppice.harness.FreePorts;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Two providers, each with a pool of its own: a volume goes to the other one, is tested there,
/// fails over when its provider is killed, and comes back with what changed.
class TwoPoolsIT {

  private static final String INITIATOR = "iqn.2026-11.test.host:one";
  private static final long SIZE = 64L << 20;
  private static final int BLOCK = 4096;
  private static final int BLOCKS = 512;

  @TempDir private Path folder;

  @Test
  void groupFailsOverAndComesBack() throws Exception {
    try (RunningProvider a = start("a");
        RunningProvider b = start("b")) {
      Site first = new Site(a);
      Site second = new Site(b);
      pair(first, second);
      second.container("dr");
      String volume = first.volume("shop");
      first.export(volume);
      first.write(volume, 1);
      String group = first.group(second.pool(), volume);
      await(() -> second.find(group) && second.group(group).get("newest").isString());
      assertThat(second.volumes()).isEmpty();
      assertThat(first.volumes()).hasSize(1);
      assertThat(first.snapshots()).isEmpty();

      first.write(volume, 2);
      String replica =
          second.post(group, "synchronize", "{\"name\": \"second\"}").get("replica").asString();
      assertThat(second.replicas(group).get(0).get("id").asString()).isEqualTo(replica);
      assertTestShows(second, group, 2);

      first.write(volume, 3); // nobody has it when the provider dies
      second.post(group, "synchronize", "");
      first.write(volume, 4);
      a.process().kill();
      second.post(group, "fail-over", "{\"checkOnly\": true}");
      assertThat(second.group(group).get("state").asString()).isEqualTo("TARGET");
      JsonNode over = second.post(group, "fail-over", "");
      assertThat(over.get("state").asString()).isEqualTo("FAILEDOVER");
      String there = over.get("volumes").get(0).asString();
      second.export(there);
      assertThat(second.generation(there)).isIn(3, 4);
      second.write(there, 5);

      a.process().start();
      a.process().awaitReady(RunningProvider.START_LIMIT);
      comesBack(first, second, group, volume, there);
      a.process().stop();
      b.process().stop();
      assertIsClean("a");
      assertIsClean("b");
    }
  }

  private static void comesBack(
      Site first, Site second, String group, String volume, String there) {
    await(() -> first.group(group).get("state").asString().equals("REMOTE_FAILEDOVER"));
    assertThatThrownBy(() -> second.post(group, "reverse", ""))
        .hasMessageContaining("not exported");
    assertThat(first.group(group).get("state").asString()).isEqualTo("REMOTE_FAILEDOVER");
    first.unexport(volume);
    assertThat(second.post(group, "reverse", "").get("state").asString()).isEqualTo("SOURCE");
    assertThat(first.group(group).get("state").asString()).isEqualTo("TARGET");
    assertThat(first.volumes()).isEmpty();
    assertThat(first.replicas(group).toString()).contains("before the reversal");
    await(() -> second.group(group).get("newest").isString());
    assertThat(second.group(group).get("cycles").get("dataBytes").asLong())
        .as("only what changed since the fail-over goes back")
        .isLessThanOrEqualTo((BLOCKS + 1L) * BLOCK);

    assertThatThrownBy(() -> second.post(group, "prepare", "")).hasMessageContaining("exported");
    second.write(there, 6);
    second.unexport(there);
    assertThatThrownBy(() -> first.post(group, "fail-over", "{\"planned\": true}"))
        .hasMessageContaining("PREPARED");
    assertThat(second.post(group, "prepare", "").get("state").asString()).isEqualTo("PREPARED");
    assertThat(second.volumes()).isEmpty();
    JsonNode back = first.post(group, "fail-over", "{\"planned\": true}");
    assertThat(back.get("volumes").get(0).asString())
        .as("the volume is the one that it was")
        .isEqualTo(volume);
    first.export(volume);
    assertThat(first.generation(volume)).isEqualTo(6);
    assertThat(first.post(group, "reverse", "").get("state").asString()).isEqualTo("SOURCE");
    assertThat(second.group(group).get("state").asString()).isEqualTo("TARGET");
    first.write(volume, 7);
    first.post(group, "synchronize", "");
    assertTestShows(second, group, 7);
  }

  private static void assertTestShows(Site target, String group, int generation) {
    JsonNode test = target.post(group, "test", "");
    assertThat(test.get("state").asString()).isEqualTo("INTEST");
    String shown = test.get("volumes").get(0).asString();
    target.export(shown);
    assertThat(target.generation(shown)).isEqualTo(generation);
    target.write(shown, 99);
    assertThatThrownBy(() -> target.rest().delete("replication/groups/" + group + "/test"))
        .hasMessageContaining("exported");
    target.unexport(shown);
    assertThat(
            target.rest().delete("replication/groups/" + group + "/test").get("state").asString())
        .isEqualTo("TARGET");
    assertThat(target.volumes()).isEmpty();
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

  private static void pair(Site first, Site second) {
    JsonNode code = second.rest().post("replication/codes", "");
    String address = "127.0.0.1:" + second.process().management().getPort();
    String wanted = "{\"address\": \"%s\", \"code\": \"%s\"}";
    assertThatThrownBy(
            () ->
                first
                    .rest()
                    .post(
                        "replication/peers", wanted.formatted(address, "00000-00000-00000-00000")))
        .hasMessageContaining("wrong");
    JsonNode peer =
        first
            .rest()
            .post("replication/peers", wanted.formatted(address, code.get("code").asString()));
    assertThat(peer.get("name").asString()).isEqualTo("b");
    assertThat(second.rest().get("replication/peers").get("items").get(0).get("name").asString())
        .isEqualTo("a");
    assertThatThrownBy(
            () ->
                first
                    .rest()
                    .post(
                        "replication/peers",
                        wanted.formatted(address, code.get("code").asString())))
        .as("a code serves once")
        .hasMessageContaining("used");
  }

  private void assertIsClean(String name) {
    Path pool = folder.resolve(name).resolve("home").resolve("pool").resolve("pool");
    Commands.Outcome checked =
        Commands.run(
            120,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CheckCommand.class.getName(),
                pool.toString()));
    assertThat(checked.exitCode()).as(checked.output()).isZero();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("120 s are over").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /// One of the two providers.
  private record Site(RunningProvider provider) {

    RestClient rest() {
      return new RestClient(process().management(), process().adminToken());
    }

    ProviderProcess process() {
      return provider.process();
    }

    String pool() {
      return rest().get("system").get("pool").asString();
    }

    String container(String name) {
      return rest()
          .post("containers", "{\"name\": \"%s\", \"quota\": %d}".formatted(name, 8 * SIZE))
          .get("id")
          .asString();
    }

    String volume(String name) {
      return rest()
          .post(
              "volumes",
              "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                  .formatted(name, SIZE, container(name)))
          .get("id")
          .asString();
    }

    JsonNode volumes() {
      return rest().get("volumes").get("items");
    }

    JsonNode snapshots() {
      return rest().get("snapshots").get("items");
    }

    void export(String volume) {
      rest()
          .post(
              "exports",
              "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                  .formatted(volume, INITIATOR));
    }

    void unexport(String volume) {
      rest().delete("exports/" + volume);
    }

    // ---- groups

    String group(String peer, String volume) {
      return rest()
          .post(
              "replication/groups",
              """
              {"name": "shop", "peer": "%s", "interval": "PT5S", "members": [{"volume": "%s"}],
               "keep": [{"every": "PT5S", "keepFor": "PT1H"}], "container": "dr"}
              """
                  .formatted(peer, volume))
          .get("id")
          .asString();
    }

    boolean find(String group) {
      return rest().get("replication/groups").get("items").toString().contains(group);
    }

    JsonNode group(String group) {
      return rest().get("replication/groups/" + group);
    }

    JsonNode replicas(String group) {
      return rest().get("replication/groups/" + group + "/replicas").get("items");
    }

    JsonNode post(String group, String action, String body) {
      return rest().post("replication/groups/" + group + "/" + action, body);
    }

    // ---- content: each block says its generation

    private IscsiPath open(JsonNode export) {
      return IscsiPath.open(
          process().portal(),
          export.get("target").asString(),
          LoginSettings.of(INITIATOR, 1),
          new WireCounters());
    }

    private LogicalUnit on(IscsiPath path, JsonNode export) {
      return new LogicalUnit(path, Lun.flat(export.get("lun").asInt()));
    }

    void write(String volume, int generation) {
      JsonNode export = rest().get("exports/" + volume);
      try (IscsiPath path = open(export)) {
        LogicalUnit disk = on(path, export);
        for (int block = 0; block < BLOCKS; block++) {
          disk.write(8L * block, 8, content(block, generation));
        }
      }
    }

    /// The generation that all blocks have.
    int generation(String volume) {
      JsonNode export = rest().get("exports/" + volume);
      try (IscsiPath path = open(export)) {
        LogicalUnit disk = on(path, export);
        int generation = disk.read(0, 8, 512).getInt(0);
        for (int block = 0; block < BLOCKS; block++) {
          assertThat(disk.read(8L * block, 8, 512)).isEqualTo(content(block, generation));
        }
        return generation;
      }
    }

    private static ByteBuffer content(int block, int generation) {
      ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
      bytes.putInt(generation).putInt(block);
      SplittableRandom random = new SplittableRandom(31L * generation + block);
      while (bytes.hasRemaining()) {
        bytes.putLong(random.nextLong());
      }
      return bytes.flip();
    }
  }
}
