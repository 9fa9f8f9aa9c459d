package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The database is lost; a backup of it and the pool are not.
class BackupIT {

  @TempDir private Path folder;

  @Test
  void aBackupAndThePoolMakeTheWholeProviderAgain() throws IOException {
    Path file = folder.resolve("coppice.backup");
    try (RunningProvider provider = RunningProvider.start(folder, "--coppice.pool.capacity=1GB");
        RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults())) {
      ProviderProcess process = provider.process();
      RestClient rest = provider.rest();
      RebuildIT.furnish(site);
      rest.post("tokens", "{\"name\": \"auditor\", \"role\": \"operator\"}");
      requireDone(command(process, "backup", file));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      awaitEntry(rest, "backup", "done");
      assertThat(command(process, "backup", file).exitCode()).as("the file is there").isEqualTo(1);
      awaitEntry(rest, "backup", "refused");
      String disk = site.create("Data", 4, Map.of("VMW_VVolName", "after the backup"));
      Map<String, JsonNode> before = inventory(rest);
      Map<String, JsonNode> kept = kept(rest);

      process.stop();
      Path home = process.home();
      Folders.delete(home.resolve("database"));
      Files.delete(home.resolve("vasa.password"));
      refuseWhatIsNotTheBackup(process, file);
      assertThat(home.resolve("database")).as("a refused restore makes nothing").doesNotExist();
      requireDone(command(process, "restore", file));
      assertThat(command(process, "restore", file).output())
          .contains("Expected an empty database", "got the one of pool");

      process.start();
      process.awaitReady(RunningProvider.START_LIMIT);
      assertThat(inventory(rest)).isEqualTo(before);
      assertThat(kept(rest)).isEqualTo(kept);
      site.vcenter().reconnect();
      site.vcenter().openSession();
      assertThat(site.vcenter().client().volumes().queryVirtualVolumeInfo(List.of(disk)))
          .hasSize(1);
    }
  }

  /// Waits until the provider has taken the record that a tool left for its audit trail.
  private static void awaitEntry(RestClient rest, String tool, String outcome) {
    Instant end = Instant.now().plusSeconds(30);
    while (rest.get("audit?action=" + tool + "&outcome=" + outcome).at("/items").isEmpty()) {
      assertThat(Instant.now()).as("an entry about %s, %s", tool, outcome).isBefore(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private void refuseWhatIsNotTheBackup(ProviderProcess process, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Path other = folder.resolve("other.backup");
    Files.write(other, Arrays.copyOf(bytes, bytes.length - 7));
    refused(command(process, "restore", other), "was cut off or altered");
    byte[] altered = bytes.clone();
    altered[bytes.length / 2] ^= 1;
    Files.write(other, altered);
    refused(command(process, "restore", other), "was cut off or altered");
    Files.writeString(other, "-- PostgreSQL database dump\n");
    refused(command(process, "restore", other), "does not begin like one");
    Path elsewhere = folder.resolve("elsewhere");
    PoolDirectory.create(elsewhere, 256L << 20, PoolFormat.withDefaults(Instant.now()));
    refused(
        command(process, "restore", file, "--coppice.pool.directory=" + elsewhere),
        "The backup belongs to the pool ");
  }

  private static void refused(Commands.Outcome outcome, String sentence) {
    assertThat(outcome.output()).contains(sentence);
    assertThat(outcome.exitCode()).isEqualTo(1);
  }

  private static void requireDone(Commands.Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  private static Commands.Outcome command(
      ProviderProcess process, String verb, Path file, String... more) {
    List<String> command = ProviderJar.tool(verb);
    command.add(file.toString());
    command.addAll(process.settings());
    command.addAll(List.of(more));
    return Commands.run(1800, command);
  }

  /// What comes from the pool, with the names of the policies beside it.
  private static Map<String, JsonNode> inventory(RestClient rest) {
    Map<String, JsonNode> inventory = new TreeMap<>(RebuildIT.inventory(rest));
    for (JsonNode vvol : rest.get("vvols").get("items")) {
      inventory.put("policy of " + vvol.get("id").asString(), vvol.get("policy"));
    }
    return inventory;
  }

  /// What only the backup can bring.
  private static Map<String, JsonNode> kept(RestClient rest) {
    Map<String, JsonNode> kept = new TreeMap<>();
    for (String path : List.of("policies", "tokens")) {
      kept.put(path, rest.get(path).get("items"));
    }
    return kept;
  }
}
