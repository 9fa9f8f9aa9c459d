package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The life of protection over REST: policies, groups, points, and what is refused.
class ProtectionTest {

  private static final String HOURLY = Protecting.HOURLY;

  private static AdminServer server;
  private static String container;
  private static int names;

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
    return "n" + ++names;
  }

  private static Answer create(String rules) {
    return server.post(
        "protection-policies", "{\"name\": \"%s\", \"rules\": [%s]}".formatted(name(), rules));
  }

  private static Answer protect(String policy, String members) {
    return server.post(
        "protection-groups",
        "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [%s]}"
            .formatted(name(), policy, members));
  }

  private static String volume(String id) {
    return "{\"volume\": \"%s\"}".formatted(id);
  }

  private static String newGroup() {
    return Protecting.group(
        server, name(), Protecting.policy(server, name()), server.volume(container, name()));
  }

  private static String take(String group) {
    return Protecting.point(server, group, "now");
  }

  /// Lets time pass, with a round each five minutes.
  private static void pass(Duration time) {
    for (long minute = 0; minute < time.toMinutes(); minute += 5) {
      server.control.clock.advance(Duration.ofMinutes(5));
      server.control.protection.rounds.round();
    }
  }

  @Test
  void rulesOfEachKindComeBackAsTheyWere() {
    String rules =
        """
        {"name": "every", "kind": "every", "interval": "PT15M", "keepCount": 4},
        {"name": "hour", "kind": "hourly", "minute": 30, "keepFor": "P1D"},
        {"name": "day", "kind": "daily", "at": "02:00", "zone": "Europe/Berlin", "keepCount": 7},
        {"name": "week", "kind": "weekly", "at": "23:59", "zone": "UTC",
         "days": ["sunday", "monday"], "keepCount": 5, "pattern": "{rule} of {date}"},
        {"name": "month", "kind": "monthly", "day": "last", "at": "00:00", "zone": "UTC",
         "months": ["july", "january"], "keepCount": 12},
        {"name": "every-month", "kind": "monthly", "day": "31", "at": "00:00", "zone": "UTC",
         "keepFor": "P400D"}
        """;

    Answer made = create(rules);

    JsonNode shown = server.get("protection-policies/" + made(made)).json();
    assertThat(shown).isEqualTo(made.json());
    assertThat(shown.at("/rules/0/interval").asString()).isEqualTo("PT15M");
    assertThat(shown.at("/rules/1/keepFor").asString()).isEqualTo("P1D");
    assertThat(shown.at("/rules/2/zone").asString()).isEqualTo("Europe/Berlin");
    assertThat(shown.at("/rules/3/days").toString()).isEqualTo("[\"monday\",\"sunday\"]");
    assertThat(shown.at("/rules/3/pattern").asString()).isEqualTo("{rule} of {date}");
    assertThat(shown.at("/rules/4/day").asString()).isEqualTo("last");
    assertThat(shown.at("/rules/4/months").toString()).isEqualTo("[\"january\",\"july\"]");
    assertThat(shown.at("/rules/5/months").isNull()).isTrue();
    Answer again =
        server.put(
            "protection-policies/" + made(made),
            "{\"name\": \"again\", \"generation\": 1, \"rules\": %s}"
                .formatted(shown.at("/rules")));
    assertThat(again.json().at("/rules"))
        .as("what is shown can be sent")
        .isEqualTo(shown.at("/rules"));
  }

  @Test
  void aGroupLivesFromItsFirstPointToItsEnd() {
    String policy = made(create(HOURLY));
    String first = server.volume(container, name());
    String second = server.volume(container, name());
    String group = made(protect(policy, volume(first) + ", " + volume(second)));
    String path = "protection-groups/" + group;
    assertThat(server.get(path).json().at("/last").isNull()).isTrue();

    pass(Duration.ofHours(5));

    JsonNode points = server.get("recovery-points?rule=hour&group=" + group).json().get("items");
    assertThat(points).as("as many as the rule keeps").hasSize(2);
    JsonNode newest = points.get(0);
    assertThat(newest.at("/rules").toString()).isEqualTo("[\"hour\"]");
    assertThat(newest.at("/snapshots")).hasSize(2);
    assertThat(server.get(path).text("/last")).isEqualTo(newest.at("/taken").asString());
    Answer snapshots = server.get("snapshots?group=" + newest.at("/id").asString());
    assertThat(AdminServer.texts(snapshots, "/vvol")).containsExactlyInAnyOrder(first, second);

    String demanded = take(group);
    pass(Duration.ofHours(3));
    Answer kept = server.get("recovery-points/" + demanded);
    assertThat(kept.json().at("/rules")).as("on demand").isEmpty();
    assertThat(server.get("recovery-points?total=true&group=" + group).number("/total"))
        .isEqualTo(3);
    assertThat(server.delete("protection-policies/" + policy).text("/code")).isEqualTo("in-use");

    assertThat(server.delete("recovery-points/" + demanded).status()).isEqualTo(204);
    assertThat(server.get("snapshots?group=" + demanded).json().get("items")).isEmpty();
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertThat(server.get("recovery-points?group=" + group).json().get("items")).isEmpty();
    assertThat(server.get("snapshots?vvol=" + first).json().get("items"))
        .as("the snapshots stay")
        .hasSize(2);
    assertThat(server.delete("protection-policies/" + policy).status()).isEqualTo(204);
  }

  @Test
  void aMachineIsTakenAsItIsThen() {
    String machine = "vm-" + name();
    VolumeId disk = disk(machine);
    String group = made(protect(made(create(HOURLY)), "{\"vm\": \"%s\"}".formatted(machine)));
    VolumeId more = disk(machine);

    String point = take(group);

    assertThat(AdminServer.texts(server.get("snapshots?group=" + point), "/vvol"))
        .containsExactlyInAnyOrder(disk.toString(), more.toString());
  }

  private static VolumeId disk(String machine) {
    return server.control.volume(
        server.control.containers.require(UUID.fromString(container)),
        ControlPlane.GIB,
        Map.of("VMW_VmID", machine));
  }

  @Test
  void aGroupIsDeletedWithItsPointsOnlyIfAskedAndUnused() {
    String used = server.volume(container, name());
    String group = made(protect(made(create(HOURLY)), volume(used)));
    String point = take(group);
    take(group);
    String snapshot = server.get("recovery-points/" + point).text("/snapshots/0");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:x\"]}".formatted(snapshot));
    String path = "protection-groups/" + group;

    Answer refused = server.delete(path + "?points=delete");
    assertThat(refused.text("/code")).isEqualTo("in-use");
    assertThat(refused.text("/detail")).contains(point, snapshot);
    assertThat(server.get("snapshots?vvol=" + used).json().get("items")).hasSize(2);
    assertThat(server.delete("recovery-points/" + point).text("/code")).isEqualTo("in-use");
    assertThat(server.delete(path + "?points=some").text("/detail"))
        .isEqualTo("expected keep, delete or purge, got 'some'");
    server.delete("exports/" + snapshot);

    assertThat(server.delete(path + "?points=delete").status()).isEqualTo(204);
    assertThat(server.get("snapshots?vvol=" + used).json().get("items")).isEmpty();
    assertThat(server.get(path).status()).isEqualTo(404);
  }

  @Test
  void aChangedPolicyAndGroupAreFollowedAtOnce() {
    Answer policy = create(HOURLY);
    String group = made(protect(made(policy), volume(server.volume(container, name()))));
    String other = server.volume(container, name());
    String path = "protection-groups/" + group;
    pass(Duration.ofMinutes(5));

    String next = server.get(path).text("/next");
    server.put(
        "protection-policies/" + made(policy),
        """
        {"name": "%s", "generation": 1,
         "rules": [{"name": "often", "kind": "every", "interval": "PT5M", "keepCount": 9}]}
        """
            .formatted(name()));
    assertThat(server.get(path).text("/next")).isLessThan(next);
    Answer changed =
        server.patch(path, "{\"name\": \"moved\", \"members\": [%s]}".formatted(volume(other)));
    assertThat(changed.text("/members/0/volume")).isEqualTo(other);
    pass(Duration.ofMinutes(10));

    JsonNode points = server.get("recovery-points?group=" + group).json().get("items");
    assertThat(points.get(0).at("/rules").toString()).isEqualTo("[\"often\"]");
    assertThat(server.get("snapshots?vvol=" + other).json().get("items")).isNotEmpty();
    assertThat(
            server
                .put(
                    "protection-policies/" + made(policy),
                    "{\"name\": \"x\", \"generation\": 1, \"rules\": [%s]}".formatted(HOURLY))
                .text("/code"))
        .isEqualTo("generation-changed");
  }

  private static Answer createContinuous(String rules, String tiers) {
    return server.post(
        "protection-policies",
        "{\"name\": \"%s\", \"rules\": [%s], \"continuous\": %s}".formatted(name(), rules, tiers));
  }

  @Test
  void tiersComeBackAsTheyWereAndNullMeansNone() {
    String tiers =
        "[{\"every\":\"PT5S\",\"keepFor\":\"PT1H\"},{\"every\":\"PT1M\",\"keepFor\":\"P1D\"}]";

    Answer made = createContinuous(HOURLY, tiers);

    String path = "protection-policies/" + made(made);
    assertThat(made.json().at("/continuous").toString()).isEqualTo(tiers);
    assertThat(server.get(path).json()).isEqualTo(made.json());
    Answer without =
        server.put(
            path,
            "{\"name\": \"%s\", \"generation\": 1, \"rules\": [%s]}".formatted(name(), HOURLY));
    assertThat(without.json().at("/continuous")).isEmpty();
    Answer alone =
        server.put(
            path,
            "{\"name\": \"%s\", \"generation\": 2, \"rules\": [], \"continuous\": %s}"
                .formatted(name(), tiers));
    assertThat(alone.json().at("/rules")).isEmpty();
    assertThat(alone.json().at("/continuous").toString()).isEqualTo(tiers);
  }

  @Test
  void aGroupWithTiersAloneHasNoNextMomentAndNamesWhatCannotHavePoints() {
    String policy = made(createContinuous("", "[{\"every\": \"PT5S\", \"keepFor\": \"PT1H\"}]"));
    String thin = server.volume(container, name());
    Answer reserving =
        server.post(
            "policies", "{\"name\": \"%s\", \"spaceEfficiency\": \"thick\"}".formatted(name()));
    String thick =
        made(
            server.post(
                "volumes",
                "{\"name\": \"%s\", \"container\": \"%s\", \"size\": 1048576, \"policy\": \"%s\"}"
                    .formatted(name(), container, made(reserving))));
    String group = "protection-groups/" + made(protect(policy, volume(thin) + "," + volume(thick)));
    assertThat(server.get(group).json().at("/next").isNull()).isTrue();

    server.control.protection.continuous.roundWhenDue();

    JsonNode refused = server.get(group).json().at("/notContinuous");
    assertThat(refused).hasSize(1);
    assertThat(refused.at("/0/volume").asString()).isEqualTo(thick);
    assertThat(refused.at("/0/reason").asString()).startsWith("expected");
    assertThat(server.control.engine.journals().volumes())
        .contains(new VolumeId(UUID.fromString(thin)));
    assertThat(server.delete(group + "?points=purge").status()).isEqualTo(204);
    assertThat(server.control.engine.journals().volumes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [null]                                           | expected 'every' and 'keepFor' of tier 1, got null
          [{"keepFor": "PT1H"}]                            | expected a value of 'every' of tier 1, got none
          [{"every": "PT5S"}]                              | expected a value of 'keepFor' of tier 1, got none
          [{"every": "5s", "keepFor": "PT1H"}]             | expected 'every' of tier 1 as a length of time such as PT5S or P1D, got '5s'
          [{"every": "PT0.5S", "keepFor": "PT1H"}]         | expected 'every' of tier 1 of whole seconds, at least PT1S, got PT0.5S
          [{"every": "PT5S", "keepFor": "P367D"}]          | expected 'keepFor' of tier 1 of whole seconds from PT5S to P366D, got P367D
          [{"every": "PT5S", "keepFor": "PT1H"}, {"every": "PT5S", "keepFor": "P1D"}] | expected 'every' of tier 2 of more than the PT5S of tier 1, got PT5S
          """)
  void aBadTierIsRefusedWithWhatWasExpected(String tiers, String sentence) {
    Answer refused = createContinuous(HOURLY, tiers);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.text("/code")).isEqualTo("invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("continuous");
    assertThat(refused.text("/detail")).isEqualTo(sentence);
  }

  @Test
  void aGroupThatCannotBeServedSaysWhyAndKeepsNoOtherAway() {
    String gone = server.volume(container, name());
    String policy = made(create(HOURLY));
    String failing = made(protect(policy, volume(gone)));
    String healthy = made(protect(policy, volume(server.volume(container, name()))));
    server.delete("volumes/" + gone);

    pass(Duration.ofHours(1));

    assertThat(server.get("protection-groups/" + failing).text("/lastError"))
        .startsWith("expected volumes in protection group");
    assertThat(server.get("recovery-points?group=" + healthy).json().get("items")).isNotEmpty();
    Answer renamed =
        server.patch("protection-groups/" + failing, "{\"name\": \"%s\"}".formatted(name()));
    assertThat(renamed.status()).as("though its member is gone").isEqualTo(200);
  }

  @Test
  void aNameOrAMemberThatIsTakenIsAConflict() {
    String policy = made(create(HOURLY));
    String volume = server.volume(container, name());
    Answer group = protect(policy, volume(volume));
    String taken = group.text("/name");
    String free = volume(server.volume(container, name()));

    Answer name =
        server.post(
            "protection-groups",
            "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [%s]}"
                .formatted(taken, policy, free));
    assertThat(name.text("/code")).isEqualTo("name-taken");
    assertThat(protect(policy, volume(volume)).text("/code")).isEqualTo("in-use");
    Answer unknown = protect(UUID.randomUUID().toString(), free);
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.text("/target")).isEqualTo("policy");
    assertThat(protect(policy, "{\"vm\": \"vm-9\"}").text("/detail"))
        .isEqualTo("there is no virtual machine vm-9");
    String known = server.get("protection-policies/" + policy).text("/name");
    assertThat(
            server
                .post(
                    "protection-policies",
                    "{\"name\": \"%s\", \"rules\": [%s]}".formatted(known, HOURLY))
                .text("/code"))
        .isEqualTo("name-taken");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "kind": "yearly", "keepCount": 1                                | got 'yearly'
          "keepCount": 1                                                  | got 'none'
          "kind": "hourly", "keepCount": 1                                | value of 'minute'
          "kind": "hourly", "minute": 60, "keepCount": 1                  | expected a minute from 0 to 59, got 60
          "kind": "hourly", "minute": 0, "zone": "UTC", "keepCount": 1    | got 'zone', too
          "kind": "hourly", "minute": 0                                   | got neither
          "kind": "hourly", "minute": 0, "keepCount": 1, "keepFor": "P1D" | got both
          "kind": "hourly", "minute": 0, "keepCount": 0                   | expected a count of at least 1, got 0
          "kind": "hourly", "minute": 0, "keepCount": 1001                | expected rules that keep at most 1000 points
          "kind": "hourly", "minute": 0, "keepFor": "PT30M"               | the PT1H between two of them, got PT30M
          "kind": "hourly", "minute": 0, "keepFor": "soon"                | got 'soon'
          "kind": "every", "interval": "PT30S", "keepCount": 1            | of at least PT1M, got PT30S
          "kind": "every", "interval": "PT25H", "keepCount": 1            | from PT1S to PT24H, got PT25H
          "kind": "daily", "at": "25:00", "zone": "UTC", "keepCount": 1   | got '25:00'
          "kind": "daily", "at": "02:00:30", "zone": "UTC", "keepCount": 1 | expected a time of hours and minutes
          "kind": "daily", "at": "02:00", "zone": "Mars", "keepCount": 1  | expected a time zone such as Europe/Berlin or UTC, got 'Mars'
          "kind": "weekly", "at": "02:00", "zone": "UTC", "days": [], "keepCount": 1 | expected at least one day of the week
          "kind": "weekly", "at": "02:00", "zone": "UTC", "days": ["mo"], "keepCount": 1 | from monday to sunday, got 'mo'
          "kind": "monthly", "at": "02:00", "zone": "UTC", "day": "32", "keepCount": 1 | expected 1 to 31 or last
          "kind": "monthly", "at": "02:00", "zone": "UTC", "day": "30", "months": ["february"], "keepCount": 1 | it never comes
          "kind": "hourly", "minute": 0, "keepCount": 1, "pattern": "{host}" | expected no braces but those of
          """)
  void aBadRuleIsRefusedWithWhatWasExpected(String fields, String sentence) {
    Answer refused = create("{\"name\": \"bad\", %s}".formatted(fields));

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.text("/code")).isEqualTo("invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("rules");
    assertThat(refused.text("/detail")).contains(sentence);
  }

  @Test
  void otherBadInputIsRefused() {
    assertThat(create("").text("/detail"))
        .isEqualTo("expected at least one rule or a tier of continuous points, got neither");
    assertThat(create("").text("/target")).isEqualTo("rules");
    assertThat(create(HOURLY + ", " + HOURLY).text("/detail"))
        .isEqualTo("expected each rule name once, got 'hour' twice");
    assertThat(
            create("{\"name\": \"a b\", \"kind\": \"hourly\", \"minute\": 0, \"keepCount\": 1}")
                .text("/detail"))
        .startsWith("expected a rule name of");
    assertThat(create("null").text("/target")).isEqualTo("rules");
    String policy = made(create(HOURLY));
    assertThat(protect(policy, "").text("/detail")).isEqualTo("expected 1 to 256 members, got 0");
    assertThat(protect(policy, "{}").text("/detail")).endsWith("got one with neither");
    String both = "{\"vm\": \"a\", \"volume\": \"%s\"}".formatted(UUID.randomUUID());
    assertThat(protect(policy, both).text("/detail")).endsWith("got one with both");
    assertThat(protect(policy, "{\"vm\": \" \"}").text("/target")).isEqualTo("members");
    String group = newGroup();
    String snapshot = server.get("recovery-points/" + take(group)).text("/snapshots/0");
    assertThat(protect(policy, volume(snapshot)).text("/code")).isEqualTo("not-supported");
    assertThat(server.get("recovery-points?vm=x").text("/code")).isEqualTo("unknown-parameter");
    assertThat(server.post("protection-groups/" + group + "/points", "{\"name\": \"\"}").status())
        .isEqualTo(400);
  }

  @Test
  void rolesChangeWhatTheyMay() {
    String machines = server.token("vm-admin");
    String reader = server.token("operator");
    String policy = made(create(HOURLY));
    String body = "{\"name\": \"%s\", \"rules\": [%s]}".formatted(name(), HOURLY);
    String group =
        "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [%s]}"
            .formatted(name(), policy, volume(server.volume(container, name())));

    for (String token : Set.of(machines, reader)) {
      assertThat(server.callAs(token, "POST", "protection-policies", body).status()).isEqualTo(403);
      assertThat(server.callAs(token, "GET", "protection-policies", null).status()).isEqualTo(200);
    }
    assertThat(server.callAs(reader, "POST", "protection-groups", group).status()).isEqualTo(403);
    assertThat(server.callAs(reader, "GET", "recovery-points", null).status()).isEqualTo(200);
    assertThat(server.callAs(machines, "POST", "protection-groups", group).status()).isEqualTo(201);
  }

  @Test
  void aBoundTokenSeesAndProtectsOnlyItsOwn() {
    String other = server.container(name());
    Answer issued =
        server.post(
            "tokens",
            "{\"name\": \"bound\", \"role\": \"volume-admin\", \"containers\": [\"%s\"]}"
                .formatted(other));
    String token = issued.text("/token");
    String policy = made(create(HOURLY));
    String hidden = newGroup();
    String own = server.volume(other, name());
    String mixed =
        made(
            protect(
                policy,
                volume(server.volume(other, name()))
                    + ", "
                    + volume(server.volume(container, name()))));

    String body = "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [%s]}";
    Answer machine =
        server.callAs(
            token,
            "POST",
            "protection-groups",
            body.formatted(name(), policy, "{\"vm\": \"vm-1\"}"));
    assertThat(machine.status()).isEqualTo(403);
    Answer made =
        server.callAs(
            token, "POST", "protection-groups", body.formatted(name(), policy, volume(own)));

    Answer seen = server.callAs(token, "GET", "protection-groups?total=true", null);
    assertThat(AdminServer.texts(seen, "/id")).containsExactly(made(made)).doesNotContain(mixed);
    assertThat(seen.number("/total")).isEqualTo(1);
    take(hidden);
    assertThat(server.callAs(token, "GET", "recovery-points", null).json().get("items")).isEmpty();
    server.delete("volumes/" + own);
    assertThat(server.callAs(token, "DELETE", "protection-groups/" + made(made), null).status())
        .as("also after its volume is gone")
        .isEqualTo(204);
  }
}
