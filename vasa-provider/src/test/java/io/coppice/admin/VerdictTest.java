package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.VasaCaller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The verdict of the provider on itself, over REST.
class VerdictTest {

  private final AdminServer server = new AdminServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aProviderThatNobodyRegisteredHasAWarningAndARegisteredOneThatNobodyUses() {
    Answer before = verdict();
    assertThat(before.text("/status")).isEqualTo("warning");
    assertThat(before.text("/sentence"))
        .isEqualTo("trust: no vCenter has registered this provider yet.");
    assertThat(before.json().get("remedy").isNull()).isTrue();
    assertThat(outcome(before, "service-io")).isEqualTo("ok");
    assertThat(outcome(before, "control")).isEqualTo("ok");
    assertThat(outcome(before, "expiry")).isEqualTo("ok");
    assertThat(outcome(before, "names")).isEqualTo("ok");
    assertThat(outcome(before, "clients")).isEqualTo("ok");
    assertThat(outcome(before, "clock")).isEqualTo("skipped");

    register();
    assertThat(outcome(verdict(), "trust")).isEqualTo("ok");
    assertThat(verdict().text("/sentence"))
        .isEqualTo("sessions: it is registered, but no vCenter has opened a session since.");
  }

  @Test
  void theWorstComesFirst() {
    alert("low", AlertSeverity.WARNING);
    assertThat(verdict().text("/status")).isEqualTo("warning");
    String warning = verdict().text("/sentence");
    assertThat(warning).doesNotStartWith("trust").endsWith(".");
    assertThat(verdict().text("/remedy")).isNotEmpty();

    alert("high", AlertSeverity.CRITICAL);
    assertThat(verdict().text("/status")).isEqualTo("failing");
    assertThat(verdict().text("/sentence")).endsWith(".");

    ((MemoryEngine) server.control.engine).stop("The device is gone.");
    Answer stopped = verdict();
    assertThat(stopped.text("/status")).isEqualTo("failing");
    assertThat(stopped.text("/sentence"))
        .startsWith("No volume is served since ")
        .endsWith(": The device is gone.");
    assertThat(stopped.text("/remedy")).contains("restart the provider");
    assertThat(outcome(stopped, "service-io")).isEqualTo("fail");
    assertThat(outcome(stopped, "alert")).isEqualTo("fail");
  }

  @Test
  void withoutTheDatabaseItSaysSo() {
    server.database.cutOff = true;
    Answer away = verdict();
    server.database.cutOff = false;

    assertThat(away.text("/status")).isEqualTo("failing");
    assertThat(away.text("/sentence")).startsWith("The control plane has no database: ");
    assertThat(away.text("/remedy")).contains("log/postgres.log");
    assertThat(outcome(away, "service-io")).isEqualTo("ok");
    assertThat(outcome(away, "trust")).isEqualTo("skipped");
  }

  @Test
  void whileTheControlPlaneIsNotReadyTheReasonIsTheVerdict() {
    server.control.gate.close();
    Answer closed = verdict();

    assertThat(closed.text("/status")).isEqualTo("failing");
    assertThat(closed.text("/sentence"))
        .isEqualTo("The control plane does not answer calls: the gate is closed.");
    assertThat(outcome(closed, "trust")).isEqualTo("skipped");
  }

  @Test
  void aClientThatWasRefusedJustNowFails() {
    register();
    var stranger =
        Issuer.create("stranger", server.control.clock.instant(), Duration.ofDays(1)).served();
    server
        .bean(RefusedClients.class)
        .refused(
            new VasaCaller(
                "192.0.2.7", Optional.of(new ClientChain(stranger.chain())), Optional.empty()),
            "nobody trusts it");

    Answer refused = verdict();
    assertThat(refused.text("/status")).isEqualTo("failing");
    assertThat(refused.text("/sentence"))
        .startsWith("A client is refused: ")
        .contains("192.0.2.7", "nobody trusts it");
    assertThat(refused.text("/remedy")).contains("trusted now: ", "CN=authority");
  }

  private void register() {
    Issuer authority =
        Issuer.create("authority", server.control.clock.instant(), Duration.ofDays(365));
    HostsTest.trust(server, authority);
  }

  private void alert(String key, AlertSeverity severity) {
    server
        .bean(AlertBoard.class)
        .take(
            key,
            List.of(
                new AlertFinding(
                    key,
                    severity,
                    new AlertSubject("system", "pool", null, null),
                    "PoolSpace",
                    Map.of("percent", "85"))));
  }

  private Answer verdict() {
    Answer answer = server.get("system/verdict");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return answer;
  }

  private static String outcome(Answer verdict, String topic) {
    return verdict
        .json()
        .get("checks")
        .valueStream()
        .filter(check -> check.get("topic").asString().equals(topic))
        .findFirst()
        .orElseThrow()
        .get("outcome")
        .asString();
  }
}
