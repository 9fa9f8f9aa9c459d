package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.database.SchemaVersion;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Today's provider over what release 0.1.0 has left, and over what a later one may leave.
class UpgradeIT {

  @TempDir private Path folder;
  private Path home;

  @BeforeEach
  void restored() throws IOException, SQLException {
    assumeTrue(Commands.exists("qemu-io"), "qemu-io is not installed (package qemu-utils)");
    home = folder.resolve("home");
    EarlierRelease.restore(home);
  }

  @Test
  void everythingOfTheReleaseBeforeIsThere() throws Exception {
    String root = Files.readString(home.resolve("tls/root.crt"));
    try (ProviderProcess process = provider()) {
      process.start();
      process.awaitReady(RunningProvider.START_LIMIT);
      RestClient rest = new RestClient(process.management(), process.adminToken());

      assertThat(names(rest.get("containers"))).containsExactlyInAnyOrder("accounts", "archive");
      assertThat(names(rest.get("volumes"))).containsExactlyInAnyOrder("ledger", "scratch", "copy");
      assertThat(names(rest.get("snapshots"))).containsExactlyInAnyOrder("monday", "tuesday");
      assertThat(names(rest.get("policies"))).containsExactly("gold");
      assertThat(rest.get("policies").toString()).contains("\"PT1H\"", "\"maxIops\":5000");
      assertThat(rest.get("vvols/%s/limits".formatted(EarlierRelease.SCRATCH)).toString())
          .contains("\"maxIops\":2000");
      assertThat(eventsWithoutActor(rest))
          .as("those of the release, once and in their order")
          .isEqualTo(EarlierRelease.events());
      assertThat(new RestClient(process.management(), EarlierRelease.TOKEN).get("me").get("name"))
          .hasToString("\"backup-script\"");
      assertThat(Files.readString(home.resolve("tls/root.crt"))).isEqualTo(root);
      assertThat(schemaVersions(home)).contains(SchemaVersion.newest());

      EarlierVolumes.assertAsBefore(process.portal(), rest);
      chapAsBefore(process);
    }
  }

  /// Messages and objects of the events that nobody is known to have made.
  private static List<String> eventsWithoutActor(RestClient rest) {
    List<String> found = new ArrayList<>();
    for (JsonNode event : rest.get("events?after=0&limit=1000").get("items")) {
      if (!event.path("actor").isObject()) {
        found.add(event.get("message").asString() + " " + event.get("objectId").asString());
      }
    }
    return found;
  }

  private static void chapAsBefore(ProviderProcess process) {
    assumeTrue(Commands.exists("iscsi-inq"), "iscsi-inq is not installed (package libiscsi-bin)");
    assertThat(loginAs(process, EarlierRelease.SECRET)).contains("Vendor:");
    assertThat(loginAs(process, "another secret")).doesNotContain("Vendor:");
  }

  private static String loginAs(ProviderProcess process, String secret) {
    RestClient rest = new RestClient(process.management(), process.adminToken());
    JsonNode export = rest.get("exports/" + EarlierRelease.SCRATCH);
    return Commands.runAtMost(
        20,
        List.of(
            "env",
            "LIBISCSI_CHAP_USERNAME=second",
            "LIBISCSI_CHAP_PASSWORD=" + secret,
            "iscsi-inq",
            "-i",
            EarlierRelease.SECOND,
            "iscsi://127.0.0.1:%d/%s/%d"
                .formatted(
                    process.portal().getPort(),
                    export.get("target").asString(),
                    export.get("lun").asInt())));
  }

  @Test
  void aDatabaseThatIsNewerIsLeftAloneAndVolumesAreServed() throws Exception {
    change(
        "INSERT INTO flyway_schema_history VALUES (99, '9999', 'later', 'SQL', 'V9999__later.sql', 1, 'x', now(), 1, true)");

    assertRefused(
        "The database's schema has version 9999, which this Coppice does not know (it knows up to %d)"
            .formatted(SchemaVersion.newest()),
        "start the newer Coppice that made it");
    assertThat(schemaVersions(home)).contains(9999, 75).doesNotContain(SchemaVersion.newest());
  }

  @Test
  void aDatabaseThatIsHalfUpgradedIsLeftAloneAndVolumesAreServed() throws Exception {
    change(
        "INSERT INTO flyway_schema_history VALUES (99, '76', 'no binding rows', 'SQL', 'V76__no_binding_rows.sql', 1, 'x', now(), 1, false)");

    assertRefused(
        "The database's schema is half upgraded: the step to version 76 failed",
        "restore the database");
    assertThat(schemaVersions(home)).contains(75).doesNotContain(SchemaVersion.newest());
  }

  /// The control plane stops with the sentences; the target serves what it served.
  private void assertRefused(String... sentences) throws IOException {
    try (ProviderProcess process = provider()) {
      process.start();
      process.awaitPortal(RunningProvider.START_LIMIT);
      String log = awaitLine(process, "the control plane stops, the target goes on");

      assertThat(log).contains(sentences);
      assertThat(
              Commands.require(
                  60,
                  "qemu-io",
                  "-r",
                  "--image-opts",
                  "driver=raw,file.driver=iscsi,file.transport=tcp,file.portal=127.0.0.1:%d,file.target=iqn.2026-11.io.coppice:430cec9e0eaf:lun,file.lun=0,file.initiator-name=%s"
                      .formatted(process.portal().getPort(), EarlierRelease.INITIATOR),
                  "-c",
                  "read -P 0x13 512k 1M"))
          .contains("read 1048576/1048576")
          .doesNotContain("verification failed");
    }
  }

  private static String awaitLine(ProviderProcess process, String text) throws IOException {
    long end = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      String log = Files.readString(process.log());
      if (log.contains(text)) {
        return log;
      }
      LockSupport.parkNanos(50_000_000);
    }
    throw new Mismatch(
        "expected \"%s\" in the log, got: %s".formatted(text, Files.readString(process.log())));
  }

  private ProviderProcess provider() {
    return new ProviderProcess(
        ProviderJar.served(),
        home,
        List.of("--spring.config.additional-location=file:" + EarlierRelease.settings()));
  }

  private void change(String sql) throws SQLException {
    var postgres = new EmbeddedPostgres(home, java.time.InstantSource.system());
    try (Connection connection = EarlierRelease.connect(postgres.start());
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } finally {
      postgres.stop();
    }
  }

  /// The versions in the history of the home's database, which runs or is started for it.
  private static Set<Integer> schemaVersions(Path home) throws SQLException {
    var postgres = new EmbeddedPostgres(home, java.time.InstantSource.system());
    EmbeddedPostgres.Server server = postgres.start();
    Set<Integer> versions = new TreeSet<>();
    try (Connection connection = EarlierRelease.connect(server);
        var statement = connection.createStatement();
        var result = statement.executeQuery("SELECT version FROM flyway_schema_history")) {
      while (result.next()) {
        versions.add(Integer.valueOf(result.getString(1)));
      }
    } finally {
      if (!server.adopted()) {
        postgres.stop();
      }
    }
    return versions;
  }

  private static Set<String> names(JsonNode list) {
    Set<String> names = new TreeSet<>();
    list.get("items").forEach(item -> names.add(item.get("name").asString()));
    return names;
  }
}
