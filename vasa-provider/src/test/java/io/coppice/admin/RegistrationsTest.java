package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.session.RefusalRemedy;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.VasaCaller;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Registrations, and containers that are limited to some of them.
class RegistrationsTest {

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
  void registrationsAreListedWithTheirVcentersAndHosts() {
    UUID one = registered(null);
    UUID replaced = registered(one);
    claim("vcenter", "vc-" + one, one);
    claim("host", "esx-" + one, one);

    Answer list = server.get("registrations?limit=1000");

    assertThat(AdminServer.texts(list, "/id"))
        .contains(one.toString())
        .doesNotContain(replaced.toString());
    int at = AdminServer.texts(list, "/id").indexOf(one.toString());
    assertThat(list.text("/items/%d/vcenters/0".formatted(at))).isEqualTo("vc-" + one);
    assertThat(list.text("/items/%d/address".formatted(at))).isEqualTo("192.0.2.7");
    assertThat(list.number("/items/%d/hosts".formatted(at))).isEqualTo(1);
  }

  @Test
  void theFormAndTheCertificatesAreTold() {
    String operator = server.token("operator");
    Answer form = server.callAs(operator, "GET", "registrations/form", null);
    Answer certificates = server.callAs(operator, "GET", "certificates", null);

    assertThat(form.status()).as(form.toString()).isEqualTo(200);
    assertThat(form.text("/url")).isEqualTo("https://provider.test:8443/vasa/version.xml");
    assertThat(form.text("/user")).isEqualTo("vasa");
    assertThat(form.text("/passwordFile")).endsWith("vasa.password");
    assertThat(certificates.text("/items/0/name")).isEqualTo("vasa");
    assertThat(certificates.text("/items/0/sha256")).isEqualTo(form.text("/fingerprint"));
    assertThat(certificates.json().at("/items/0/own").asBoolean()).isTrue();
  }

  @Test
  void aRefusedClientComesWithWhatToDo() {
    RefusedClients refused = server.bean(RefusedClients.class);
    refused.refused(
        new VasaCaller("192.0.2.31", Optional.empty(), Optional.empty()),
        "setContext needs a client certificate, the connection has none");
    refused.refused(
        new VasaCaller("192.0.2.32", Optional.empty(), Optional.empty()), "a reason of its own");

    Answer list = server.get("refused-clients?sort=address");

    int first = AdminServer.texts(list, "/address").indexOf("192.0.2.31");
    assertThat(list.text("/items/%d/remedy".formatted(first))).startsWith("Register this provider");
    assertThat(list.text("/items/%d/remedy".formatted(first + 1)))
        .isEqualTo(RefusalRemedy.OTHER.sentence());
  }

  @Test
  void containerIsLimitedToSomeAndOfferedToAllAgain() {
    String container = server.container("limited " + UUID.randomUUID());
    UUID one = registered(null);
    UUID other = registered(null);
    assertThat(server.get("containers/" + container).json().get("registrations").isNull()).isTrue();

    Answer limited = limit(container, one, other);

    assertThat(limited.status()).as(limited.toString()).isEqualTo(200);
    assertThat(offered(server.get("containers/" + container)))
        .containsExactlyInAnyOrder(one.toString(), other.toString());
    assertThat(offered(limit(container, other))).containsExactly(other.toString());
    assertThat(server.delete("containers/" + container + "/registrations").status()).isEqualTo(204);
    assertThat(server.get("containers/" + container).json().get("registrations").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"registrations\": null}",
        "{\"registrations\": []}",
        "{\"registrations\": [\"00000000-0000-4000-8000-000000000000\"]}",
        "{\"registrations\": [\"vcenter.test\"]}",
        "{\"registrations\": \"all\"}"
      })
  void limitToNobodyOrToWhomNobodyKnowsIsRefused(String body) {
    String container = server.container("refused " + UUID.randomUUID());

    Answer refused = server.put("containers/" + container + "/registrations", body);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(server.get("containers/" + container).json().get("registrations").isNull()).isTrue();
  }

  @Test
  void unknownContainersAndSmallRolesAreRefused() {
    UUID one = registered(null);
    assertThat(limit(UUID.randomUUID().toString(), one).status()).isEqualTo(404);
    assertThat(server.delete("containers/%s/registrations".formatted(UUID.randomUUID())).status())
        .isEqualTo(404);
    String container = server.container("roles " + UUID.randomUUID());
    String path = "containers/" + container + "/registrations";
    for (String role : List.of("vm-admin", "operator")) {
      String token = server.token(role);
      String body = "{\"registrations\": [\"%s\"]}".formatted(one);
      assertThat(server.callAs(token, "PUT", path, body).status()).isEqualTo(403);
      assertThat(server.callAs(token, "DELETE", path, null).status()).isEqualTo(403);
    }
  }

  @Test
  void containerThatHostsOfOthersUseIsNotTakenFromThem() {
    var made = server.control.container("used " + UUID.randomUUID());
    UUID one = registered(null);
    UUID other = registered(null);
    HostId host = new HostId("esx-" + UUID.randomUUID());
    server.control.luns.declareHost(OperationId.random(), host, Set.of("iqn.2026-11.test:" + host));
    claim("host", host.value(), one);
    var volume = server.control.volume(made, ControlPlane.GIB);
    server.control.luns.bind(OperationId.random(), host, volume, Set.of());

    Answer refused = limit(made.id().toString(), other);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
    assertThat(refused.text("/code")).isEqualTo("in-use");
    assertThat(refused.text("/detail")).contains(host.value());
    assertThat(limit(made.id().toString(), one).status()).isEqualTo(200);
  }

  @Test
  void bindingsOfAHostThatIsGoneAreEndedByForce() {
    HostId host = new HostId("esx-" + UUID.randomUUID());
    server.control.luns.declareHost(OperationId.random(), host, Set.of("iqn.2026-11.test:" + host));
    var volume = server.control.volume(server.control.container("for " + host), ControlPlane.GIB);
    server.control.luns.bind(OperationId.random(), host, volume, Set.of());
    assertThat(server.delete("hosts/" + host).text("/detail")).contains("?force=true");

    assertThat(server.delete("hosts/" + host + "?force=true").status()).isEqualTo(204);

    assertThat(server.control.luns.bindingsOf(volume)).isEmpty();
    assertThat(AdminServer.texts(server.get("hosts?limit=1000"), "/id"))
        .doesNotContain(host.value());
  }

  private static Answer limit(String container, UUID... registrations) {
    String ids =
        String.join(", ", List.of(registrations).stream().map(id -> "\"" + id + "\"").toList());
    return server.put(
        "containers/" + container + "/registrations", "{\"registrations\": [%s]}".formatted(ids));
  }

  private static List<String> offered(Answer container) {
    return container
        .json()
        .get("registrations")
        .valueStream()
        .map(each -> each.asString())
        .toList();
  }

  private static UUID registered(UUID replacedBy) {
    return server
        .control
        .jdbc
        .sql(
            """
            INSERT INTO trust_set (id, created, registered, registered_from, replaced_by)
            VALUES (gen_random_uuid(), now(), now(), '192.0.2.7', CAST(:next AS uuid)) RETURNING id
            """)
        .param("next", replacedBy)
        .query(UUID.class)
        .single();
  }

  private static void claim(String kind, String name, UUID registration) {
    server
        .control
        .jdbc
        .sql(
            """
            INSERT INTO claim (kind, name, trust_set, subject, since, used)
            VALUES (?, ?, ?, 'CN=somebody', now(), now())
            """)
        .params(kind, name, registration)
        .update();
  }
}
