package io.coppice.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.testing.ControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The metrics of the whole system: who may read them, in which formats, and what remains of them
/// while a part of the system is away.
class MetricsTest {

  @Test
  void thePoolIsMeasured() {
    try (AdminServer server = new AdminServer()) {
      Map<String, Double> figures = figures(server);

      var space = server.control.engine.space();
      assertThat(figures)
          .containsEntry("coppice_pool_capacity_bytes", (double) space.capacity())
          .containsEntry("coppice_pool_used_bytes", (double) space.used())
          .containsEntry("coppice_pool_reclaiming_bytes", (double) space.reclaiming())
          .containsEntry("coppice_pool_reserved_bytes", (double) space.reserved())
          .containsEntry("coppice_pool_free_bytes", (double) space.free());
    }
  }

  @Test
  void aStoppedPoolIsMeasuredAllTheSame() {
    try (AdminServer server = new AdminServer()) {
      server.container("gold");
      ((MemoryEngine) server.control.engine).stop("The device is gone.");

      assertThat(figures(server))
          .containsKey("coppice_pool_capacity_bytes")
          .containsEntry("coppice_plane_ready{plane=\"data\"}", 0.0)
          .containsEntry("coppice_database_up", 1.0)
          .anySatisfy((name, _) -> assertThat(name).startsWith("coppice_container_quota_bytes"));
    }
  }

  @Test
  void everyRoleMayReadAndNobodyWithoutAToken() {
    try (AdminServer server = new AdminServer()) {
      assertThat(server.metrics("", "metrics").status()).isEqualTo(401);
      assertThat(server.metrics("nonsense", "metrics").status()).isEqualTo(401);
      assertThat(server.metrics(AdminServer.ADMIN, "metrics").status()).isEqualTo(200);
      assertThat(server.metrics(server.token("operator"), "metrics").status()).isEqualTo(200);
      assertThat(server.get("metrics").status()).as("inside the API").isEqualTo(404);
    }
  }

  @Test
  void aSettingLetsEverybodyReadTheSystem() {
    try (AdminServer server = new AdminServer("--without-token=true")) {
      assertThat(server.metrics("", "metrics").status()).isEqualTo(200);
      assertThat(server.metrics("nonsense", "metrics").status())
          .as("a token that is none is no mistake to pass over")
          .isEqualTo(401);
    }
  }

  @Test
  void theClientChoosesTheFormat() {
    try (AdminServer server = new AdminServer()) {
      Answer plain = server.metrics(AdminServer.ADMIN, "metrics");
      Answer open =
          server.metrics(
              AdminServer.ADMIN,
              "metrics",
              "Accept",
              "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3");

      assertThat(plain.header("Content-Type")).startsWith("text/plain;version=0.0.4");
      assertThat(open.header("Content-Type")).startsWith("application/openmetrics-text");
      assertThat(plain.http().body())
          .contains("# TYPE coppice_pool_free_bytes gauge\n")
          .doesNotContain("# EOF");
      assertThat(open.http().body())
          .contains("# UNIT coppice_pool_free_bytes bytes\n")
          .endsWith("# EOF\n");
    }
  }

  @Test
  void anAnswerIsZippedForWhoTakesIt() throws IOException {
    try (AdminServer server = new AdminServer()) {
      HttpResponse<InputStream> zipped =
          server.raw(AdminServer.ADMIN, "metrics", "Accept-Encoding", "br, gzip;q=0.5");
      Answer refused = server.metrics(AdminServer.ADMIN, "metrics", "Accept-Encoding", "gzip;q=0");

      assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
      assertThat(new String(new GZIPInputStream(zipped.body()).readAllBytes(), UTF_8))
          .contains("coppice_pool_free_bytes ");
      assertThat(refused.header("Content-Encoding")).isEmpty();
      assertThat(refused.http().body()).contains("coppice_pool_free_bytes ");
    }
  }

  @Test
  void theTargetTheProcessAndTheDatabaseAreMeasured() throws Exception {
    try (AdminServer server = new AdminServer()) {
      String container = server.container("gold");
      String volume = server.volume(container, "disk");
      VolumeId exported = VolumeId.parse(volume);
      OffloadsTest.export(server, exported, "iqn.2026-11.test:h");
      OffloadsTest.send(server, "iqn.2026-11.test:h", exported, OffloadsTest.ZERO_16);

      assertThat(figures(server))
          .containsEntry("coppice_database_up", 1.0)
          .containsEntry(
              "coppice_container_quota_bytes{container=\"%s\",name=\"gold\"}".formatted(container),
              100.0 * ControlPlane.GIB)
          .containsEntry(
              "coppice_container_provisioned_bytes{container=\"%s\",name=\"gold\"}"
                  .formatted(container),
              1.0 * ControlPlane.GIB)
          .containsKey(
              "coppice_container_used_bytes{container=\"%s\",name=\"gold\"}".formatted(container))
          .containsEntry("coppice_snapshot_schedule_lag_seconds", 0.0)
          .containsEntry("coppice_noncompliant_volumes", 0.0)
          .containsEntry("coppice_protection_groups", 0.0)
          .containsEntry("coppice_protection_age_seconds", 0.0)
          .containsEntry("coppice_timeline_volumes", 0.0)
          .containsEntry("coppice_timeline_points", 0.0)
          .containsEntry("coppice_timeline_kept_bytes", 0.0)
          .containsEntry("coppice_timeline_lag_seconds", 0.0)
          .containsEntry("coppice_timeline_failures_total", 0.0)
          .containsEntry("coppice_bin_purged_early_total", 0.0)
          .containsEntry("coppice_temporary_exports", 0.0)
          .containsEntry("coppice_plane_ready{plane=\"data\"}", 1.0)
          .containsEntry("coppice_plane_ready{plane=\"control\"}", 1.0)
          .containsEntry("coppice_certificate_expiry_seconds{certificate=\"vasa\"}", 86_400.0)
          .containsEntry("coppice_vasa_sessions", 0.0)
          .containsEntry("coppice_scrub_bad_blocks", 0.0)
          .containsEntry("coppice_offload_commands_total{kind=\"writeSame\"}", 1.0)
          .containsEntry("coppice_offload_fallbacks_total{kind=\"unmap\"}", 0.0)
          .containsKeys(
              "coppice_build_info{java=\"%s\",version=\"1.2.3\"}".formatted(Runtime.version()),
              "coppice_iscsi_logins_total",
              "coppice_array_io_seconds_total{op=\"read\"}");

      server.delete("exports/" + volume);
      assertThat(figures(server))
          .as("nobody reaches the volume any more, but what was counted stays")
          .containsEntry("coppice_offload_commands_total{kind=\"writeSame\"}", 1.0);
    }
  }

  @Test
  void protectionAndTheBinAreMeasured() {
    try (AdminServer server = new AdminServer()) {
      String container = server.container("gold");
      server.control.containers.setBinTime(UUID.fromString(container), ControlPlane.KEPT);
      String volume = server.volume(container, "disk");
      String group = Protecting.group(server, "shop", Protecting.policy(server, "gold"), volume);
      Protecting.point(server, group, "first");
      server.control.clock.advance(Duration.ofMinutes(5));
      String point = Protecting.point(server, group, "second");
      String writable =
          "{\"point\": \"%s\", \"initiators\": [\"iqn.2026-11.test:h\"], \"writable\": true}";
      assertThat(server.post("temporary-exports", writable.formatted(point)).status())
          .isEqualTo(201);
      String other = server.volume(container, "other");
      server.control.write(VolumeId.parse(other), 0, 1 << 20, 1);
      server.delete("volumes/" + other);
      server.control.clock.advance(Duration.ofSeconds(90));

      assertThat(figures(server))
          .containsEntry("coppice_protection_groups", 1.0)
          .containsEntry("coppice_protection_points", 2.0)
          .containsEntry("coppice_protection_late_groups", 0.0)
          .containsEntry("coppice_protection_age_seconds", 90.0)
          .containsEntry("coppice_bin_entries", 1.0)
          .containsEntry("coppice_bin_bytes", 1.0 * (1 << 20))
          .containsEntry("coppice_bin_purged_early_total", 0.0)
          .containsEntry("coppice_temporary_exports", 1.0);

      server.control.jdbc.sql("update protection_group set last_error = 'full'").update();
      assertThat(figures(server)).containsEntry("coppice_protection_late_groups", 1.0);
    }
  }

  @Test
  void continuousPointsAreMeasuredWithoutTheDatabase() {
    try (AdminServer server = new AdminServer()) {
      String volume = server.volume(server.container("gold"), "disk");
      String policy =
          AdminServer.made(
              server.post(
                  "protection-policies",
                  "{\"name\": \"quick\", \"rules\": [], \"continuous\": [{\"every\": \"PT5S\", \"keepFor\": \"PT1H\"}]}"));
      Protecting.group(server, "shop", policy, volume);
      server.control.protection.continuous.roundWhenDue();
      server.control.write(VolumeId.parse(volume), 0, 1 << 20, 1);
      server.control.clock.advance(Duration.ofSeconds(5));
      server.control.protection.cuts.round();
      server.control.clock.advance(Duration.ofSeconds(90));
      server.database.cutOff = true;

      assertThat(figures(server))
          .containsEntry("coppice_timeline_volumes", 1.0)
          .containsEntry("coppice_timeline_points", 2.0)
          .containsEntry("coppice_timeline_lag_seconds", 90.0);
    }
  }

  @Test
  void withoutTheDatabaseTheRestIsKnown() {
    try (AdminServer server = new AdminServer()) {
      server.container("gold");
      server.database.cutOff = true;

      assertThat(figures(server))
          .containsEntry("coppice_database_up", 0.0)
          .containsKey("coppice_pool_free_bytes")
          .doesNotContainKey("coppice_noncompliant_volumes")
          .allSatisfy((name, _) -> assertThat(name).doesNotStartWith("coppice_container"));

      server.database.cutOff = false;
      assertThat(figures(server)).containsEntry("coppice_database_up", 1.0);
    }
  }

  @Test
  void aDatabaseThatIsNotThePoolsOwnIsNotAsked() {
    try (AdminServer server = new AdminServer()) {
      server.control.gate.close();

      assertThat(figures(server))
          .containsEntry("coppice_database_up", 0.0)
          .containsEntry("coppice_plane_ready{plane=\"control\"}", 0.0);
    }
  }

  @Test
  void aTokenThatWasSeenBeforeIsGoodWhileTheDatabaseIsAway() {
    try (AdminServer server = new AdminServer()) {
      String revoked = server.token("operator");
      read(server, revoked, 200);
      server.delete("tokens/" + AdminServer.texts(server.get("tokens"), "/id").getFirst());
      String seen = server.token("operator");
      String unseen = server.token("operator");
      read(server, seen, 200);
      server.database.cutOff = true;

      read(server, seen, 200);
      read(server, unseen, 503);
      read(server, revoked, 503);
      server.control.clock.advance(Duration.ofDays(2));
      read(server, seen, 503);

      server.database.cutOff = false;
      read(server, revoked, 401);
      read(server, seen, 401);
    }
  }

  private static void read(AdminServer server, String token, int status) {
    assertThat(server.metrics(token, "metrics").status()).isEqualTo(status);
  }

  @Test
  @Timeout(120)
  void aDatabaseThatHangsHoldsNobodyUpForLong() throws Exception {
    try (AdminServer server = new AdminServer()) {
      String token = server.token("operator");
      read(server, token, 200);
      server.database.hang();
      try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          answers.add(readers.submit(() -> server.metrics(token, "metrics")));
        }
        for (Future<Answer> answer : answers) {
          assertThat(Scrape.of(answer.get()).figures()).containsEntry("coppice_database_up", 0.0);
        }
      }
      while (server.database.hanging() > 0) { // else the test ends by its time limit
        Thread.onSpinWait();
      }

      server.database.resume();
      assertThat(figures(server)).containsEntry("coppice_database_up", 1.0);
    }
  }

  @Test
  void namesOfAnyKindStandAsTheyAre() {
    try (AdminServer server = new AdminServer()) {
      String name = "a \"quoted\" \\ name, é 存 \uD83D\uDE00";
      String container = server.container(name.replace("\\", "\\\\").replace("\"", "\\\""));

      assertThat(figures(server))
          .containsKey(
              "coppice_container_quota_bytes{container=\"%s\",name=\"%s\"}"
                  .formatted(container, name.replace("\\", "\\\\").replace("\"", "\\\"")));
    }
  }

  /// Figures of the whole system by name, with labels as they stand.
  private static Map<String, Double> figures(AdminServer server) {
    return Scrape.of(server.metrics(AdminServer.ADMIN, "metrics")).figures();
  }
}
