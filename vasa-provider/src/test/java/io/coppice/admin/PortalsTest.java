package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The iSCSI portals.
class PortalsTest {

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
  void portalsAndViolationsAreShown() {
    Answer iscsi = server.get("iscsi");

    assertThat(iscsi.number("/portals/0/number")).isEqualTo(1);
    assertThat(iscsi.text("/portals/1/address")).isEqualTo("[::1]:3260");
    assertThat(iscsi.number("/portals/0/sessions")).isEqualTo(3);
    assertThat(iscsi.number("/portals/0/away")).isEqualTo(1);
    assertThat(iscsi.number("/logins")).isEqualTo(7);
    assertThat(iscsi.number("/redirects")).isEqualTo(2);
    assertThat(iscsi.number("/violations/dataDigest")).isEqualTo(5);
  }

  @Test
  void openSessionsAreListedByInitiator() {
    Answer all = server.get("iscsi/sessions?total=true");

    assertThat(AdminServer.texts(all, "/initiator"))
        .containsExactly("iqn.2026-11.test:a", "iqn.2026-11.test:b");
    assertThat(all.number("/total")).isEqualTo(2);
    assertThat(all.json().at("/items/0/target").isNull()).as("a discovery session").isTrue();
    assertThat(all.text("/items/1/portal")).isEqualTo("127.0.0.1:3260");
    assertThat(all.text("/items/1/address")).isEqualTo("127.0.0.9:4000");
    assertThat(all.text("/items/1/since")).isEqualTo("2026-11-01T12:00:00Z");
    assertThat(all.json().at("/items/1/headerDigest").asBoolean()).isTrue();
    assertThat(AdminServer.texts(server.get("iscsi/sessions?target=iqn:lun"), "/initiator"))
        .containsExactly("iqn.2026-11.test:b");
    assertThat(
            AdminServer.texts(
                server.get("iscsi/sessions?initiator=iqn.2026-11.test:a"), "/initiator"))
        .containsExactly("iqn.2026-11.test:a");
  }

  @Test
  void refusedLoginsAreListedTheLastOneFirst() {
    Answer all = server.get("iscsi/refused-logins?total=true");

    assertThat(AdminServer.texts(all, "/address")).containsExactly("192.0.2.2", "192.0.2.1");
    assertThat(all.number("/total")).isEqualTo(2);
    assertThat(all.json().at("/items/0/initiator").isNull()).as("it said none").isTrue();
    assertThat(all.json().at("/items/0/status").isNull()).as("it got no answer").isTrue();
    assertThat(all.text("/items/1/initiator")).isEqualTo("iqn.2026-11.test:a");
    assertThat(all.text("/items/1/status")).isEqualTo("0202");
    assertThat(all.text("/items/1/sentence")).isEqualTo("It was wrong.");
    assertThat(all.text("/items/1/remedy")).isEqualTo("Mend it.");
    assertThat(all.number("/items/1/times")).isEqualTo(3);
  }

  @Test
  void aPortalIsDrainedAndTakesLoginsAgain() {
    Answer drained = server.call("POST", "iscsi/portals/2/drain", null);
    assertThat(drained.status()).as(drained.toString()).isEqualTo(200);
    assertThat(drained.json().at("/draining").asBoolean()).isTrue();
    assertThat(server.get("iscsi").json().at("/portals/1/draining").asBoolean()).isTrue();

    Answer again = server.call("POST", "iscsi/portals/2/undrain", null);
    assertThat(again.json().at("/draining").asBoolean()).isFalse();
  }

  @Test
  void aPortalThatIsNotThereIsNotFound() {
    assertProblem(server.call("POST", "iscsi/portals/3/drain", null), 404, "not-found");
    assertProblem(server.call("POST", "iscsi/portals/x/drain", null), 400, "invalid-argument");
  }
}
