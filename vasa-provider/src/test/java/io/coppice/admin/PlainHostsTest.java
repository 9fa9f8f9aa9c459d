package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.scsi.directory.HostId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Hosts and host groups that administrators make, and exports to them.
class PlainHostsTest {

  private static AdminServer server;
  private static int made;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void hostIsMadeFoundChangedAndForgotten() {
    Answer created = server.post("hosts", host("db", "IQN.2026-11.made:db-1"));

    assertThat(created.status()).as(created.toString()).isEqualTo(201);
    String id = created.text("/id");
    assertThat(created.header("Location")).endsWith("/api/v1/hosts/" + id);
    assertThat(created.text("/managedBy")).isEqualTo("admin");
    assertThat(created.text("/initiators/0")).isEqualTo("iqn.2026-11.made:db-1");
    assertThat(AdminServer.texts(server.get("hosts?name=db"), "/id")).containsExactly(id);
    assertThat(AdminServer.texts(server.get("hosts?initiator=iqn.2026-11.made:DB-1"), "/id"))
        .containsExactly(id);
    assertThat(AdminServer.texts(server.get("hosts?managedBy=admin"), "/id")).contains(id);
    assertThat(AdminServer.texts(server.get("hosts?managedBy=vcenter"), "/id")).doesNotContain(id);
    Answer renamed = server.patch("hosts/" + id, "{\"name\": \"db-new\"}");
    assertThat(renamed.text("/name")).isEqualTo("db-new");
    assertThat(renamed.text("/initiators/0")).isEqualTo("iqn.2026-11.made:db-1");
    assertThat(server.delete("hosts/" + id).status()).isEqualTo(204);
    assertProblem(server.get("hosts/" + id), 404, "not-found");
  }

  @Test
  void hostTellsItsConnectionsAndSecrets() {
    String id = made(server.post("hosts", host("seen", "iqn.2026-11.test:b")));
    server.put("initiators/iqn.2026-11.test:b/chap", "{\"secret\": \"a secret of sixteen\"}");

    Answer seen = server.get("hosts/" + id);

    assertThat(seen.text("/connections/0/portal")).isEqualTo("127.0.0.1:3260");
    assertThat(seen.text("/connections/0/address")).isEqualTo("127.0.0.9:4000");
    assertThat(seen.json().at("/connections").size()).isEqualTo(1);
    assertThat(seen.text("/chap/0")).isEqualTo("iqn.2026-11.test:b");
    server.delete("initiators/iqn.2026-11.test:b/chap");
    assertThat(server.get("hosts/" + id).json().at("/chap").isEmpty()).isTrue();
  }

  @Test
  void exportToAHostFollowsItsInitiators() {
    String host = made(server.post("hosts", host("follows", iqn("f1"))));
    String volume = volume();

    Answer export = server.post("exports", export(volume, "hosts", host));

    assertThat(export.status()).as(export.toString()).isEqualTo(201);
    assertThat(initiators(export)).containsExactly(iqn("f1"));
    assertThat(export.text("/hosts/0")).isEqualTo(host);
    server.put("hosts/" + host + "/initiators/" + iqn("f2"), "");
    assertThat(initiators(server.get("exports/" + volume))).containsExactly(iqn("f1"), iqn("f2"));
    server.delete("hosts/" + host + "/initiators/" + iqn("f1"));
    assertThat(initiators(server.get("exports/" + volume))).containsExactly(iqn("f2"));
    assertThat(server.get("hosts/" + host).number("/exports")).isEqualTo(1);
    assertProblem(server.delete("hosts/" + host), 409, "in-use");
    assertProblem(server.delete("exports/" + volume + "/initiators/" + iqn("f2")), 409, "in-use");
    assertThat(initiators(server.delete("exports/" + volume + "/hosts/" + host))).isEmpty();
    server.delete("exports/" + volume);
    assertThat(server.delete("hosts/" + host).status()).isEqualTo(204);
  }

  @Test
  void exportToAGroupFollowsItsHostsAndInitiatorsNamedBesideStay() {
    String first = made(server.post("hosts", host("node-1", iqn("n1"))));
    String second = made(server.post("hosts", host("node-2", iqn("n2"), iqn("n3"))));
    String group = made(server.post("host-groups", group("cluster", first)));
    String volume = volume();
    server.post("exports", export(volume, "initiators", iqn("n1")));

    server.put("exports/" + volume + "/groups/" + group, "");
    assertThat(initiators(server.get("exports/" + volume))).containsExactly(iqn("n1"));
    server.patch("host-groups/" + group, "{\"hosts\": [\"%s\", \"%s\"]}".formatted(first, second));
    assertThat(initiators(server.get("exports/" + volume)))
        .containsExactly(iqn("n1"), iqn("n2"), iqn("n3"));
    assertThat(server.get("hosts/" + second).text("/groups/0")).isEqualTo(group);
    assertProblem(server.delete("host-groups/" + group), 409, "in-use");
    assertProblem(server.delete("hosts/" + second), 409, "in-use");
    server.patch("host-groups/" + group, "{\"hosts\": []}");
    Answer left = server.get("exports/" + volume);
    assertThat(initiators(left)).containsExactly(iqn("n1"));
    assertThat(left.text("/groups/0")).isEqualTo(group);
    server.delete("exports/" + volume + "/groups/" + group);
    assertThat(server.delete("host-groups/" + group).status()).isEqualTo(204);
    assertThat(server.delete("hosts/" + second).status()).isEqualTo(204);
  }

  @Test
  void twoHostsMayBothHaveLun0() {
    String one = made(server.post("hosts", host("boot-1", iqn("b1"))));
    String two = made(server.post("hosts", host("boot-2", iqn("b2"))));
    String mine = volume();
    String yours = volume();

    assertThat(server.post("exports", export(mine, "hosts", one)).number("/lun")).isZero();
    assertThat(server.post("exports", export(yours, "hosts", two)).number("/lun")).isZero();

    Answer refused = server.put("exports/" + mine + "/hosts/" + two, "");
    assertProblem(refused, 409, "in-use");
    assertThat(refused.text("/detail")).contains("LUN 0", yours, iqn("b2"));
    assertThat(server.get("exports/" + mine).json().at("/hosts").size()).isEqualTo(1);
    String group = made(server.post("host-groups", group("both", one, two)));
    assertProblem(server.put("exports/" + mine + "/groups/" + group, ""), 409, "in-use");
    assertThat(AdminServer.texts(server.get("exports"), "/vvol")).contains(mine, yours);
  }

  @Test
  void changeThatOneOfTheExportsRefusesChangesNothing() {
    String host = made(server.post("hosts", host("whole", iqn("w1"))));
    String first = volume();
    String second = volume();
    server.post("exports", export(first, "hosts", host));
    server.post("exports", export(second, "hosts", host));
    String other = volume();
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"lun\": 1}".formatted(other, iqn("w2")));

    Answer refused = server.put("hosts/" + host + "/initiators/" + iqn("w2"), "");

    assertProblem(refused, 409, "in-use");
    assertThat(initiators(server.get("hosts/" + host))).containsExactly(iqn("w1"));
    assertThat(initiators(server.get("exports/" + first))).containsExactly(iqn("w1"));
    assertThat(initiators(server.get("exports/" + second))).containsExactly(iqn("w1"));
  }

  @Test
  void namesAndInitiatorsBelongToOneHost() {
    String id = made(server.post("hosts", host("only", iqn("o1"))));
    String group = made(server.post("host-groups", group("only")));

    assertProblem(server.post("hosts", host("only", iqn("o2"))), 409, "name-taken");
    assertProblem(server.post("hosts", host("another", iqn("o1"))), 409, "in-use");
    assertProblem(server.post("host-groups", group("only")), 409, "name-taken");
    String other = made(server.post("hosts", host("other", iqn("o3"))));
    assertProblem(server.patch("hosts/" + other, "{\"name\": \"only\"}"), 409, "name-taken");
    assertProblem(server.put("hosts/" + other + "/initiators/" + iqn("o1"), ""), 409, "in-use");
    assertProblem(
        server.delete("hosts/" + other + "/initiators/" + iqn("o3")), 400, "invalid-argument");
    assertThat(server.get("hosts/" + other).text("/name")).isEqualTo("other");
    assertThat(server.get("host-groups/" + group).json().at("/hosts").isEmpty()).isTrue();
    assertThat(AdminServer.texts(server.get("host-groups?name=only"), "/id"))
        .containsExactly(group);
    server.delete("hosts/" + id);
  }

  @Test
  void hostOfVcenterIsShownAndNotChanged() {
    HostId host = new HostId(UUID.randomUUID().toString());
    server.control.luns.declareHost(OperationId.random(), host, Set.of(iqn("esx")));

    Answer seen = server.get("hosts/" + host);

    assertThat(seen.text("/managedBy")).isEqualTo("vcenter");
    assertThat(seen.json().get("name").isNull()).isTrue();
    assertProblem(server.patch("hosts/" + host, "{\"name\": \"esx\"}"), 409, "managed-by-vcenter");
    assertProblem(
        server.put("hosts/" + host + "/initiators/" + iqn("x"), ""), 409, "managed-by-vcenter");
    String own = made(server.post("hosts", host("esx plain", iqn("esx"))));
    assertThat(AdminServer.texts(server.get("hosts?initiator=" + iqn("esx")), "/id"))
        .containsExactlyInAnyOrder(own, host.value());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"initiators\": [\"iqn.2026-11.test:q\"]}                      | name",
        "{\"name\": \" \", \"initiators\": [\"iqn.2026-11.test:q\"]}     | name",
        "{\"name\": \"a\\nb\", \"initiators\": [\"iqn.2026-11.test:q\"]} | name",
        "{\"name\": \"q\"}                                               | initiators",
        "{\"name\": \"q\", \"initiators\": []}                           | initiators",
        "{\"name\": \"q\", \"initiators\": [null]}                       | initiators",
        "{\"name\": \"q\", \"initiators\": [\"host-7\"]}                 | initiators",
      })
  void badHostIsRefused(String body, String field) {
    Answer refused = server.post("hosts", body);

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo(field);
  }

  @Test
  void unknownHostsAndTooManyInitiatorsAreRefused() {
    String nobody = UUID.randomUUID().toString();
    String volume = volume();

    assertProblem(server.post("exports", export(volume, "hosts", nobody)), 404, "not-found");
    assertProblem(server.post("exports", export(volume, "groups", nobody)), 404, "not-found");
    assertProblem(server.post("host-groups", group("bad", nobody)), 404, "not-found");
    assertProblem(server.patch("host-groups/" + nobody, "{\"name\": \"x\"}"), 404, "not-found");
    assertProblem(server.patch("hosts/" + nobody, "{\"name\": \"x\"}"), 404, "not-found");
    String empty = made(server.post("host-groups", group("empty")));
    assertProblem(server.post("exports", export(volume, "groups", empty)), 400, "invalid-argument");
    assertProblem(server.get("exports/" + volume), 404, "not-found");
    String[] many = IntStream.range(0, 40).mapToObj(it -> iqn("m" + it)).toArray(String[]::new);
    String[] more = IntStream.range(40, 80).mapToObj(it -> iqn("m" + it)).toArray(String[]::new);
    String first = made(server.post("hosts", host("many", many)));
    String second = made(server.post("hosts", host("more", more)));
    server.post("exports", export(volume, "hosts", first));
    Answer refused = server.put("exports/" + volume + "/hosts/" + second, "");
    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/detail")).contains("at most 64", "80");
    assertThat(initiators(server.get("exports/" + volume))).hasSize(40);
  }

  private static String volume() {
    made++;
    return server.volume(server.container("hosts " + made), "disk " + made);
  }

  private static String iqn(String name) {
    return "iqn.2026-11.plain:" + name;
  }

  private static String host(String name, String... initiators) {
    return "{\"name\": \"%s\", \"initiators\": [%s]}".formatted(name, quoted(initiators));
  }

  private static String group(String name, String... hosts) {
    return "{\"name\": \"%s\", \"hosts\": [%s]}".formatted(name, quoted(hosts));
  }

  private static String export(String volume, String field, String... names) {
    return "{\"vvol\": \"%s\", \"%s\": [%s]}".formatted(volume, field, quoted(names));
  }

  private static String quoted(String... texts) {
    return Arrays.stream(texts).map(it -> "\"" + it + "\"").collect(Collectors.joining(", "));
  }

  private static List<String> initiators(Answer answer) {
    return answer.json().get("initiators").valueStream().map(it -> it.asString()).toList();
  }

  private static String made(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    return answer.text("/id");
  }
}
