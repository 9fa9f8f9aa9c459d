package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestJournals;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Previews of drafts of policies: what they tell, and that they change nothing.
class PolicyPreviewTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String name() {
    return UUID.randomUUID().toString();
  }

  private static String policy(String fields) {
    return AdminServer.made(
        server.post("policies", "{\"name\": \"%s\", %s}".formatted(name(), fields)));
  }

  /// Makes a plain volume, later than those before it.
  private static String volume(String container, String policy, String name, long size) {
    server.control.clock.advance(Duration.ofSeconds(1));
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\", \"policy\": \"%s\"}"
                .formatted(name, size, container, policy)));
  }

  private static Answer preview(String policy, String draft) {
    return server.post("policies/" + policy + "/preview", draft);
  }

  private static void assertCounts(
      Answer preview, int using, int compliant, int broken, int already, int older) {
    assertThat(preview.status()).as(preview.toString()).isEqualTo(200);
    assertThat(preview.number("/using")).as("using").isEqualTo(using);
    assertThat(preview.number("/compliant")).as("compliant").isEqualTo(compliant);
    assertThat(preview.number("/wouldBreak")).as("wouldBreak").isEqualTo(broken);
    assertThat(preview.number("/alreadyNonCompliant")).as("already").isEqualTo(already);
    assertThat(preview.number("/olderEdition")).as("olderEdition").isEqualTo(older);
  }

  @Test
  void aDraftIsJudgedForAllVolumesOfThePolicyAndChangesNothing() {
    String container = server.container(name());
    String policy = policy("\"maxIops\": 500");
    String bare = volume(container, policy, "bare", ControlPlane.GIB);
    String grouped = volume(container, policy, "grouped", ControlPlane.GIB);
    Protecting.group(server, name(), Protecting.policy(server, name()), grouped);
    long audited = server.get("audit?limit=1").number("/items/0/seq");

    Answer limits = preview(policy, "{\"maxIops\": 400}");
    Answer points = preview(policy, "{\"maxIops\": 400, \"recoveryPointAge\": \"PT2H\"}");

    assertCounts(limits, 2, 2, 0, 0, 0);
    assertThat(limits.text("/sentence"))
        .isEqualTo("All 2 volumes would comply if it were applied now.");
    assertCounts(points, 2, 1, 1, 0, 0);
    assertThat(points.number("/setAside")).isZero();
    assertThat(points.text("/sentence"))
        .isEqualTo("1 of 2 volumes would not comply if it were applied now.");
    assertThat(AdminServer.texts(points, "/vvol")).containsExactly(bare);
    assertThat(points.text("/items/0/name")).isEqualTo("bare");
    assertThat(points.json().at("/items/0/vm").isNull()).isTrue();
    assertThat(points.json().at("/items/0/already").asBoolean()).isFalse();
    assertThat(points.text("/items/0/reason")).isEqualTo("nothing takes recovery points of it");
    assertThat(server.get("policies/" + policy).number("/generation")).isOne();
    assertThat(server.get("vvols/" + bare + "/limits").number("/maxIops")).isEqualTo(500);
    assertThat(server.get("vvols/" + bare).text("/compliance/status")).isEqualTo("compliant");
    assertThat(server.get("audit?limit=1").number("/items/0/seq")).isEqualTo(audited);
  }

  @Test
  void spaceIsCountedAndWhoeverHasNoRoomIsNamed() {
    String policy = policy("\"spaceEfficiency\": \"thin\"");
    String roomy = server.container(name());
    volume(roomy, policy, "fits", ControlPlane.GIB);
    String journaled = volume(roomy, policy, "journaled", ControlPlane.GIB);
    TestJournals.keep(server.control, journaled);
    String small =
        AdminServer.made(
            server.post(
                "containers",
                "{\"name\": \"%s\", \"quota\": %d}".formatted(name(), 3 * ControlPlane.GIB)));
    volume(small, policy, "first", 2 * ControlPlane.GIB);
    String second = volume(small, policy, "second", 2 * ControlPlane.GIB);

    Answer preview = preview(policy, "{\"spaceEfficiency\": \"thick\"}");

    assertCounts(preview, 4, 2, 2, 0, 0);
    assertThat(preview.number("/setAside")).isEqualTo(3 * ControlPlane.GIB);
    assertThat(AdminServer.texts(preview, "/vvol")).containsExactly(journaled, second);
    assertThat(preview.text("/items/0/reason")).contains("continuous points");
    assertThat(preview.text("/items/1/reason"))
        .isEqualTo(
            "its %d bytes cannot be set aside: its container would have %d bytes left"
                .formatted(2 * ControlPlane.GIB, ControlPlane.GIB));
    assertThat(preview.text("/sentence"))
        .isEqualTo(
            "2 of 4 volumes would not comply if it were applied now; 3.0 GiB would be set aside.");
    assertThat(server.get("vvols/" + second).number("/reserved")).isZero();
  }

  @Test
  void whoDoesNotComplyNowEitherAndWhoHasAnOlderEditionIsCounted() {
    String policy = policy("\"recoveryPointAge\": \"PT1H\"");
    volume(server.container(name()), policy, "bare", ControlPlane.GIB);
    server.put(
        "policies/" + policy,
        "{\"name\": \"%s\", \"generation\": 1, \"recoveryPointAge\": \"PT2H\"}".formatted(name()));

    Answer still = preview(policy, "{\"recoveryPointAge\": \"PT3H\"}");
    Answer cured = preview(policy, "{\"maxIops\": 500, \"generation\": 2}");

    assertCounts(still, 1, 0, 0, 1, 1);
    assertThat(still.json().at("/items/0/already").asBoolean()).isTrue();
    assertThat(still.text("/sentence"))
        .isEqualTo(
            "1 of 1 volume would not comply if it were applied now; 1 of these does not comply now"
                + " either; an older edition is in force for 1.");
    assertCounts(cured, 1, 1, 0, 0, 1);
    assertThat(cured.text("/sentence"))
        .isEqualTo(
            "The only volume would comply if it were applied now; an older edition is in force"
                + " for 1.");
  }

  @Test
  void aScheduleThatIsSwitchedOffStaysSo() {
    String policy = policy("\"snapshotInterval\": \"PT1H\"");
    String container = server.container(name());
    String off = volume(container, policy, "off", ControlPlane.GIB);
    volume(container, policy, "on", ControlPlane.GIB);
    server.patch("schedules/" + off, "{\"enabled\": false}");

    Answer preview = preview(policy, "{\"snapshotInterval\": \"PT2H\"}");

    assertCounts(preview, 2, 1, 0, 1, 0);
    assertThat(AdminServer.texts(preview, "/vvol")).containsExactly(off);
    assertThat(preview.text("/items/0/reason")).contains("snapshotInterval PT2H");
    assertThat(server.get("schedules/" + off).text("/interval")).isEqualTo("PT1H");
  }

  @Test
  void whereThePolicyWouldNotBeOfferedItCannotBeApplied() {
    String policy = policy("\"maxIops\": 500");
    String own = volume(server.container(name()), policy, "own", ControlPlane.GIB);
    String other = server.container(name());

    Answer preview = preview(policy, "{\"containers\": [\"%s\"]}".formatted(other));

    assertCounts(preview, 1, 0, 1, 0, 0);
    assertThat(AdminServer.texts(preview, "/vvol")).containsExactly(own);
    assertThat(preview.text("/items/0/reason"))
        .isEqualTo("the policy would not be offered in its container");
  }

  @Test
  void whatThePolicyCouldNotBeIsRefusedAndReadersMayAsk() {
    String policy = policy("\"maxIops\": 500");
    String path = "policies/" + policy + "/preview";
    String draft = "{\"maxIops\": 400}";

    assertThat(preview(policy, draft).text("/sentence")).isEqualTo("No volume has this policy.");
    assertThat(server.callAs(server.token("operator"), "POST", path, draft).status())
        .isEqualTo(200);
    assertProblem(server.post(path, "{}"), 400, "invalid-argument");
    assertProblem(server.post(path, "{\"maxIops\": 9}"), 400, "invalid-argument");
    assertProblem(server.post(path, "{\"name\": \"\"}"), 400, "invalid-argument");
    assertProblem(server.post(path, "{\"snapshotInterval\": \"PT1S\"}"), 422, "invalid-policy");
    assertProblem(server.post(path, "{\"generation\": 2}"), 409, "generation-changed");
    assertProblem(preview(name(), draft), 404, "not-found");
  }
}
