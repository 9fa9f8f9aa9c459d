package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.session.UsageContext;
import io.coppice.vasa.session.VasaCaller;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts that are forgotten, and the secrets of their initiators.
class HostsTest {

  private static final String INITIATOR = "iqn.2026-11.test:host-z";
  private static final String CHAP = "initiators/" + INITIATOR + "/chap";

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void hostIsForgottenOnceItHasNoBindings() {
    HostId host = new HostId(UUID.randomUUID().toString());
    server.control.luns.declareHost(OperationId.random(), host, Set.of("iqn.2026-11.test:bound"));
    var volume = server.control.volume(server.control.container("for " + host), ControlPlane.GIB);
    server.control.luns.bind(OperationId.random(), host, volume, Set.of());

    Answer refused = server.delete("hosts/" + host);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("/code")).isEqualTo("in-use");
    assertThat(server.control.luns.bindingsOf(volume)).hasSize(1);

    server.control.luns.unbind(OperationId.random(), host, volume);
    assertThat(server.delete("hosts/" + host).status()).isEqualTo(204);
    assertThat(AdminServer.texts(server.get("hosts"), "/id")).doesNotContain(host.value());
    assertThat(server.delete("hosts/" + host).status()).isEqualTo(404);
  }

  @Test
  void hostWithAnOpenSessionStaysAndItsNamesAreFreeOnceItIsForgotten() {
    var clock = server.control.clock;
    Issuer authority = Issuer.create("authority", clock.instant(), Duration.ofDays(365));
    trust(server, authority);
    String guid = UUID.randomUUID().toString();
    openSession(client(authority, "esx1.test"), guid);

    assertThat(server.delete("hosts/" + guid).text("/code")).isEqualTo("in-use");
    assertThat(server.control.luns.hosts()).containsKey(new HostId(guid));

    clock.advance(Duration.ofMinutes(31));
    assertThat(server.delete("hosts/" + guid).status()).isEqualTo(204);
    openSession(client(authority, "esx1.renamed"), guid);
    assertThat(server.control.luns.hosts()).containsKey(new HostId(guid));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"secret\": null}",
        "{\"secret\": \"too short!!\"}",
        "{\"secret\": \"twelve chars\\n\"}",
        "{\"secret\": \"zwölf Zeichen\"}",
        "{\"secret\": \"correct horse battery\", \"mutualSecret\": \"too short!!\"}",
        "{\"secret\": \"correct horse battery\", \"mutualSecret\": \"twelve chars\\n\"}",
        "{\"secret\": \"twelve chars\", \"mutualSecret\": \"twelve chars\"}",
        "{\"mutualSecret\": \"twelve chars\"}",
      })
  void secretThatNoInitiatorCanUseIsRefusedAndNotRepeated(String body) {
    Answer refused = server.put(CHAP, body);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.http().body()).doesNotContain("too short!!").doesNotContain("twelve chars");
  }

  @Test
  void secretIsForAdministratorsOnlyAndNothingShowsIt() {
    String secret = "correct horse battery";
    String body = "{\"secret\": \"%s\"}".formatted(secret);
    for (String role : List.of("storage-admin", "vm-admin", "operator")) {
      String token = server.token(role);
      assertThat(server.callAs(token, "PUT", CHAP, body).status()).isEqualTo(403);
      assertThat(server.callAs(token, "DELETE", CHAP, null).status()).isEqualTo(403);
    }

    Answer set = server.put(CHAP, body);

    assertThat(set.status()).isEqualTo(204);
    assertThat(set.http().body()).isEmpty();
    assertThat(server.get(CHAP).status()).isEqualTo(405);
    assertThat(server.get("hosts").http().body()).doesNotContain(secret);
    assertThat(server.put("initiators/no%20name/chap", body).status()).isEqualTo(400);
    assertThat(server.delete(CHAP).status()).isEqualTo(204);
  }

  @Test
  void targetProvesItselfByASecretOfItsOwnThatNothingShows() {
    String mutual = "the target's own secret";
    String both = "{\"secret\": \"correct horse battery\", \"mutualSecret\": \"%s\"}";
    var secrets = server.control.target.secrets();

    Answer same = server.put(CHAP, both.formatted("correct horse battery"));
    assertThat(same.status()).isEqualTo(400);
    assertThat(same.text("/target")).isEqualTo("mutualSecret");
    assertThat(same.text("/detail")).contains("another secret").doesNotContain("correct horse");
    assertThat(secrets.chapSecret(INITIATOR)).isEmpty();

    Answer set = server.put(CHAP, both.formatted(mutual));
    assertThat(set.status()).as(set.toString()).isEqualTo(204);
    assertThat(set.http().body()).isEmpty();
    assertThat(secrets.chapSecret(INITIATOR)).hasValue("correct horse battery");
    assertThat(secrets.mutualChapSecret(INITIATOR)).hasValue(mutual);

    // The two may change places: what stands before does not count.
    assertThat(
            server
                .put(
                    CHAP,
                    "{\"secret\": \"%s\", \"mutualSecret\": \"correct horse battery\"}"
                        .formatted(mutual))
                .status())
        .isEqualTo(204);
    assertThat(secrets.mutualChapSecret(INITIATOR)).hasValue("correct horse battery");
    assertThat(server.put(CHAP, "{\"secret\": \"%s\"}".formatted(mutual)).status()).isEqualTo(204);
    assertThat(secrets.mutualChapSecret(INITIATOR)).as("not named again").isEmpty();

    server.put(CHAP, both.formatted(mutual));
    assertThat(server.delete(CHAP).status()).isEqualTo(204);
    assertThat(secrets.chapSecret(INITIATOR)).isEmpty();
    assertThat(secrets.mutualChapSecret(INITIATOR)).isEmpty();
  }

  /// Lets the clients of an authority in.
  static void trust(AdminServer server, Issuer authority) {
    server
        .control
        .jdbc
        .sql(
            """
            WITH made AS (
              INSERT INTO trust_set (id, created, registered, registered_from)
              VALUES (gen_random_uuid(), now(), now(), '127.0.0.1') RETURNING id)
            INSERT INTO trust_root (trust_set, position, fingerprint, pem)
            SELECT id, 0, :fingerprint, :pem FROM made
            """)
        .param(
            "fingerprint", io.coppice.vasa.certificate.Pem.fingerprint(authority.served().leaf()))
        .param("pem", io.coppice.vasa.certificate.Pem.of(authority.served().leaf()))
        .update();
  }

  private static ClientChain client(Issuer authority, String name) {
    return new ClientChain(
        authority
            .issue(List.of(name), server.control.clock.instant(), Duration.ofDays(365))
            .chain());
  }

  private static void openSession(ClientChain chain, String guid) {
    server
        .bean(VasaSessions.class)
        .open(
            new VasaCaller("127.0.0.1", Optional.of(chain), Optional.empty()),
            new UsageContext(null, guid, Set.of("iqn.2026-11.test:" + guid), Set.of(), null));
  }
}
