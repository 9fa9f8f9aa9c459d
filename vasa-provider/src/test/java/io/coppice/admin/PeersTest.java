package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.replication.PoolName;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.KnownPeer;
import io.coppice.vasa.replication.pairing.Pairing;
import io.coppice.vasa.replication.pairing.PairingCalls;
import io.coppice.vasa.replication.pairing.PairingMessages;
import io.coppice.vasa.replication.pairing.PeerRecords;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// Peers over REST: shown a code, paired, moved, and ended.
class PeersTest {

  private static final X509Certificate SERVER =
      Issuer.create("rest", Instant.now(), Duration.ofDays(1)).served().leaf();
  private static final JsonMapper JSON = new JsonMapper();

  private static AdminServer server;

  /// The certificate that stands for the one of the REST API.
  static X509Certificate server() {
    return SERVER;
  }

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// Pairs another pool with the server.
  ///
  /// @return its id
  static UUID pair(AdminServer server, String name) {
    UUID id = UUID.randomUUID();
    other(server, id, name)
        .accept("server:9443", server.post("replication/codes", null).text("/code"));
    return id;
  }

  /// Pairs two servers.
  ///
  /// @return id of the second one's pool
  static String pair(AdminServer server, AdminServer other) {
    String code = other.post("replication/codes", null).text("/code");
    return AdminServer.made(
        server.post(
            "replication/peers",
            "{\"address\": \"127.0.0.1:%d\", \"code\": \"%s\"}".formatted(other.port(), code)));
  }

  private static Pairing other(AdminServer server, UUID id, String name) {
    return new Pairing(
        new Pairing.Site(
            new PoolName(id, name), () -> name.replace(' ', '-') + ":9444", () -> SERVER),
        new PeerRecords(new MemoryEngine().records(), SecretBox.of(new byte[SecretBox.KEY_BYTES])),
        (_, asking) -> call(server, asking),
        _ -> {},
        Instant::now,
        System::nanoTime);
  }

  private static PairingCalls.Answered call(AdminServer server, PairingCalls.Asking asking) {
    Answer answer =
        server.callAs(
            "", "POST", "replication/pairings", JSON.writeValueAsString(asking.by(SERVER)));
    if (answer.status() != 200) {
      throw VasaException.invalidArgument(answer.toString());
    }
    return new PairingCalls.Answered(
        JSON.treeToValue(answer.json(), PairingMessages.Answer.class), SERVER);
  }

  @Test
  void whoHasTheCodeIsPairedOnce() {
    Answer offer = server.post("replication/codes", null);
    assertThat(offer.status()).as(offer.toString()).isEqualTo(200);
    assertThat(offer.text("/code")).matches("([0-9A-Z]{5}-){3}[0-9A-Z]{5}");
    Pairing other = other(server, UUID.randomUUID(), "paired once");

    assertThatThrownBy(() -> other.accept("server:9443", "00000-00000-00000-00000"))
        .hasMessageContaining("wrong, used or older");
    KnownPeer peer = other.accept("server:9443", offer.text("/code"));

    assertThat(peer.pool().id()).isEqualTo(server.control.engine.pool().id());
    Answer listed = server.get("replication/peers?name=paired%20once");
    assertThat(listed.text("/items/0/address")).isEqualTo("paired-once:9444");
    assertThatThrownBy(() -> other.accept("server:9443", offer.text("/code")))
        .hasMessageContaining("wrong, used or older");
  }

  @Test
  void wrongProofIsARefusedLogin() {
    Answer refused =
        server.callAs(
            "",
            "POST",
            "replication/pairings",
            """
            {"pool": "%s", "name": "b", "address": "b:9444", "key": "AA==", "nonce": "AA==",
             "proof": "AA=="}
            """
                .formatted(UUID.randomUUID()));

    assertProblem(refused, 401, "unauthorized");
    assertThat(refused.text("/detail")).contains("wrong, used or older");
  }

  @Test
  void peerMovesAndIsEnded() {
    String id = pair(server, "moved").toString();
    Answer before = server.get("replication/peers/" + id);

    Answer moved = server.patch("replication/peers/" + id, "{\"address\": \"192.0.2.7:9445\"}");

    assertThat(moved.text("/address")).isEqualTo("192.0.2.7:9445");
    assertThat(moved.header("ETag")).isNotEqualTo(before.header("ETag"));
    assertProblem(
        server.patch("replication/peers/" + id, "{\"address\": \"nowhere\"}"),
        400,
        "invalid-argument");
    assertProblem(
        server.call("DELETE", "replication/peers/" + id, null, "If-Match", before.header("ETag")),
        412,
        "changed-meanwhile");
    assertThat(server.delete("replication/peers/" + id).status()).isEqualTo(204);
    assertProblem(server.get("replication/peers/" + id), 404, "not-found");
  }

  @Test
  void peerWhoseKeysCannotBeReadSaysWhyThereAreNoLinks() {
    String id = UUID.randomUUID().toString();
    String sealedByAnother = "2026-11-29T06:00:00Z\nb:9444\nlocked\nAAAA\nAAAA\n";
    server
        .control
        .engine
        .records()
        .apply(
            OperationId.random(),
            List.of(new RecordChange.Put("replication/peer/" + id, sealedByAnother)));

    Answer listed = server.get("replication/peers?name=locked");
    assertThat(listed.text("/items/0/obstacle")).contains("not the one that the secret in");
    assertThat(listed.json().at("/items/0/certificateExpires").isNull()).isTrue();
    assertProblem(
        server.patch("replication/peers/" + id, "{\"address\": \"c:9444\"}"),
        409,
        "secrets-locked");
    String volume = server.volume(server.container("locked"), "of a locked peer");
    String group =
        AdminServer.made(
            server.post(
                "replication/groups", ReplicationGroupsTest.draft(id, "locked", volume, "")));
    Answer cycle = server.post("replication/groups/" + group + "/synchronize", null);
    assertProblem(cycle, 503, "peer-not-reachable");
    assertThat(cycle.text("/detail")).contains("are locked");

    assertThat(server.delete("replication/peers/" + id).status()).isEqualTo(204);
    assertThat(server.get("replication/peers?name=locked").json().get("items")).isEmpty();
  }

  @Test
  void badPairingsAreRefused() {
    assertProblem(
        server.post("replication/peers", "{\"address\": \"192.0.2.7\"}"), 400, "invalid-argument");
    Answer unreached =
        server.post(
            "replication/peers",
            "{\"address\": \"127.0.0.1:1\", \"code\": \"00000-00000-00000-00000\"}");
    assertProblem(unreached, 400, "invalid-argument");
    assertThat(unreached.text("/target")).isEqualTo("address");
    Answer wrong =
        server.post("replication/peers", "{\"address\": \"192.0.2.7\", \"code\": \"1234\"}");
    assertProblem(wrong, 400, "invalid-argument");
    assertThat(wrong.text("/target")).isEqualTo("code");
    assertThat(wrong.text("/detail")).as("a code is a secret").doesNotContain("1234");
    assertProblem(
        server.callAs("", "POST", "replication/pairings", "{\"pool\": 7}"),
        400,
        "invalid-argument");
    assertProblem(
        server.callAs("", "POST", "replication/pairings", "{\"name\": \"b\"}"),
        400,
        "invalid-argument");
  }
}
