package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Previews of drafts of protection policies: what they tell, and that they change nothing.
class ProtectionPreviewTest {

  private static final String HOURLY =
      "{\"name\": \"%s\", \"kind\": \"hourly\", \"minute\": 0, \"keepCount\": %d}";

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("protected");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String name() {
    return UUID.randomUUID().toString();
  }

  private static Answer preview(String policy, String draft) {
    return server.post("protection-policies/" + policy + "/preview", draft);
  }

  private static String rule(String name, int count) {
    return "{\"rules\": [%s]}".formatted(HOURLY.formatted(name, count));
  }

  /// Lets time pass, with a round each five minutes.
  private static void pass(Duration time) {
    for (long minute = 0; minute < time.toMinutes(); minute += 5) {
      server.control.clock.advance(Duration.ofMinutes(5));
      server.control.protection.rounds.round();
    }
  }

  @Test
  void pointsThatTheRulesWouldGiveUpAreCountedAndStay() {
    String policy = Protecting.policy(server, name());
    String group = Protecting.group(server, "losing", policy, server.volume(container, name()));
    pass(Duration.ofHours(3));
    Protecting.point(server, group, "by hand");
    long audited = server.get("audit?limit=1").number("/items/0/seq");

    Answer fewer = preview(policy, rule("hour", 1));
    Answer same = preview(policy, rule("hour", 2));
    Answer renamed = preview(policy, rule("other", 2));

    assertThat(fewer.status()).as(fewer.toString()).isEqualTo(200);
    assertThat(fewer.number("/groups")).isOne();
    assertThat(fewer.number("/volumes")).isOne();
    assertThat(fewer.number("/pointsLost")).isOne();
    assertThat(fewer.number("/pointsLeft")).isZero();
    assertThat(fewer.text("/items/0/group")).isEqualTo(group);
    assertThat(fewer.text("/items/0/name")).isEqualTo("losing");
    assertThat(fewer.number("/items/0/points")).as("two by the rule, one by hand").isEqualTo(3);
    assertThat(fewer.number("/items/0/pointsLost")).isOne();
    assertThat(fewer.text("/items/0/oldestKept")).isNotEmpty();
    assertThat(fewer.text("/sentence")).isEqualTo("1 recovery point of 1 group would be given up.");
    assertThat(same.number("/pointsLost")).isZero();
    assertThat(same.text("/sentence")).isEqualTo("No recovery point would be given up.");
    assertThat(renamed.number("/pointsLost")).isZero();
    assertThat(renamed.number("/pointsLeft")).isEqualTo(2);
    assertThat(renamed.text("/sentence"))
        .isEqualTo(
            "No recovery point would be given up; 2 recovery points would stay until somebody"
                + " deletes them.");
    assertThat(server.get("recovery-points?group=" + group).json().get("items")).hasSize(3);
    assertThat(server.get("protection-policies/" + policy).number("/generation")).isOne();
    assertThat(server.get("audit?limit=1").number("/items/0/seq")).isEqualTo(audited);
  }

  @Test
  void tiersThatNothingMakesUpForAreNamed() {
    String tiers =
        "{\"rules\": [], \"continuous\": [{\"every\": \"PT5S\", \"keepFor\": \"%s\"},"
            + " {\"every\": \"PT1M\", \"keepFor\": \"P1D\"}]}";
    String policy =
        AdminServer.made(
            server.post(
                "protection-policies",
                tiers.formatted("PT1H").replace("{\"rules", "{\"name\": \"tiers\", \"rules")));
    Protecting.group(server, name(), policy, server.volume(container, name()));

    Answer shorter = preview(policy, tiers.formatted("PT30M"));
    Answer longer = preview(policy, tiers.formatted("PT2H"));
    Answer none = preview(policy, rule("hour", 1));

    assertThat(shorter.text("/tiersLost/0/every")).isEqualTo("PT5S");
    assertThat(shorter.text("/tiersLost/0/keepFor")).isEqualTo("PT1H");
    assertThat(shorter.json().get("tiersLost")).hasSize(1);
    assertThat(shorter.text("/sentence"))
        .isEqualTo(
            "No recovery point would be given up; continuous points would be lost: PT5S for PT1H.");
    assertThat(longer.json().get("tiersLost")).isEmpty();
    assertThat(none.json().get("tiersLost")).hasSize(2);
    assertThat(none.json().at("/items/0/oldestKept").isNull()).isTrue();
  }

  @Test
  void whatThePolicyCouldNotBeIsRefusedAndReadersMayAsk() {
    String policy = Protecting.policy(server, name());
    String path = "protection-policies/" + policy + "/preview";

    assertThat(preview(policy, rule("hour", 1)).text("/sentence"))
        .isEqualTo("No group has this policy.");
    assertThat(server.callAs(server.token("operator"), "POST", path, rule("hour", 1)).status())
        .isEqualTo(200);
    for (String draft :
        new String[] {
          "{}",
          "{\"name\": \"x\"}",
          "{\"rules\": []}",
          rule("hour", 0),
          rule("a b", 1),
          rule("h", 2000)
        }) {
      assertProblem(server.post(path, draft), 400, "invalid-argument");
    }
    assertProblem(
        server.post(path, rule("h", 1).replace("{\"rules", "{\"generation\": 2, \"rules")),
        409,
        "generation-changed");
    assertProblem(preview(name(), rule("h", 1)), 404, "not-found");
  }
}
