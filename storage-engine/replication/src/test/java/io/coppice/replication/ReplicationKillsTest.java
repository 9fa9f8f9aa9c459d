package io.coppice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.replication.replica.ReplicaCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Real processes at both ends of a link with TLS, of which one or both are killed with SIGKILL in
/// the middle of cycles, again and again on the same pools.
///
/// `-Dreplication.kills=N` says how many kills (8), `-Dtest.seed=S` when.
@Timeout(1800)
@ExtendWith(QuietEngine.class)
class ReplicationKillsTest {

  private static final int KILLS = Integer.getInteger("replication.kills", 8);

  @TempDir private Path folder;
  private final Map<String, String> held = new HashMap<>(); // by cycle and member

  @Test
  void everyReplicaIsAsItsSourceWasHoweverOftenAProcessIsKilled() throws Exception {
    SplittableRandom random = new SplittableRandom(Long.getLong("test.seed", 5_000_001L));
    for (String name : List.of("source", "target")) {
      PoolDirectory.create(
          folder.resolve(name),
          128L << 20,
          new PoolFormat(UUID.randomUUID(), 1 << 20, Instant.now()));
    }
    int replicas = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      kill(kill, random);
      replicas = verify();
    }
    System.out.printf("processes killed: %d, %d replicas, all whole%n", KILLS, replicas);
    assertThat(held).as("replicas that the source spoke of").isNotEmpty();
  }

  private void kill(int number, SplittableRandom random) throws Exception {
    Path targetOutput = folder.resolve("target-" + number);
    Path sourceOutput = folder.resolve("source-" + number);
    Process target = start(targetOutput, "target");
    Process source = null;
    try {
      Await.until("the target to listen", () -> text(targetOutput).contains("\n"));
      String port = text(targetOutput).split("\\s+")[1];
      source = start(sourceOutput, "source", port);
      Process started = source;
      Process victim = random.nextBoolean() ? source : target;
      if (random.nextInt(8) > 0) { // else perhaps while it opens its pool
        Await.until(
            "a cycle to begin", () -> !started.isAlive() || text(sourceOutput).contains("cycle"));
      }
      victim.waitFor(random.nextInt(5, 2500), TimeUnit.MILLISECONDS);
      victim.destroyForcibly();
      if (victim.equals(target) && random.nextBoolean()) {
        source.waitFor(30, TimeUnit.SECONDS); // it sees that the target is gone
      }
    } finally {
      for (Process process : source == null ? List.of(target) : List.of(source, target)) {
        process.destroyForcibly();
        process.waitFor();
      }
    }
    assertThat(text(sourceOutput)).doesNotContain("Exception");
    text(sourceOutput)
        .lines()
        .map(line -> line.split(" "))
        .filter(parts -> parts.length == 3 && parts[2].length() == 64)
        .forEach(parts -> held.put(parts[0] + " " + parts[1], parts[2]));
  }

  private Process start(Path output, String role, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledSite.class.getName(),
                role,
                folder.resolve(role).toString(),
                folder.toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("errors").toFile()))
        .redirectOutput(output.toFile())
        .start();
  }

  private int verify() throws Exception {
    for (String name : List.of("source", "target")) {
      try (FileBlockDevice device = FileBlockDevice.open(folder.resolve(name).resolve("pool"))) {
        CheckedPool.whole(device);
      }
    }
    try (StorageEngine source =
            PoolDirectory.open(folder.resolve("source"), EngineOptions.defaults());
        StorageEngine target =
            PoolDirectory.open(folder.resolve("target"), EngineOptions.defaults())) {
      for (Replica replica : new ReplicaCatalog(source).of(KilledSite.GROUP)) {
        replica
            .snapshots()
            .forEach(
                (member, snapshot) ->
                    held.put(replica.cycle() + " " + member, KilledSite.content(source, snapshot)));
      }
      return verify(target);
    }
  }

  private int verify(StorageEngine target) {
    Set<Object> used = new HashSet<>();
    List<Replica> replicas = new ReplicaCatalog(target).of(KilledSite.GROUP);
    for (Replica replica : replicas) {
      replica
          .snapshots()
          .forEach(
              (member, snapshot) -> {
                assertThat(KilledSite.content(target, snapshot))
                    .as("member %s of replica %d", member, replica.number())
                    .isEqualTo(held.get(replica.cycle() + " " + member));
                used.add(snapshot);
                used.add(target.find(snapshot).orElseThrow().origin());
              });
    }
    if (!replicas.isEmpty()) {
      assertThat(target.list()).extracting(VolumeInfo::id).allMatch(used::contains);
    }
    return replicas.size();
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }
}
