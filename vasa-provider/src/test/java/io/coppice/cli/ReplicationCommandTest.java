package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that pair pools and run replication groups: what is sent and printed.
class ReplicationCommandTest {

  private static final String PEER = "11111111-2222-4333-8444-555555555555";
  private static final String GROUP = "aaaaaaaa-2222-4333-8444-555555555555";
  private static final String REPLICA = "bbbbbbbb-2222-4333-8444-555555555555";
  private static final String DISK = "cccccccc-2222-4333-8444-555555555555";

  private static final String POOL =
      """
      {"id": "%s", "name": "munich", "address": "munich:9444", "paired": "2026-01-01T00:00:00Z",
       "certificateExpires": "2027-01-01T00:00:00Z"}"""
          .formatted(PEER);

  @TempDir private Path folder;
  private ScriptedServer server;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer(folder);
    server
        .when("GET /replication/peers?name=munich&limit=1000", 200, page(POOL))
        .when("GET /replication/groups?name=shop&limit=1000", 200, page(group("SOURCE", cycles())));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) throws Exception {
    out.reset();
    err.reset();
    return ScriptedClient.run(server, folder, out, err, args);
  }

  private String sent() {
    return server.asked.getLast().body();
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static String page(String item) {
    return "{\"items\": [%s], \"next\": null}".formatted(item);
  }

  private static String group(String state, String cycles) {
    return """
        {"id": "%s", "name": "shop", "state": "%s", "since": "2026-01-01T00:00:00Z", "settled": true,
         "peer": "%s", "interval": "PT15S", "rpo": "PT1M", "usualRpo": false, "keep": [{"every": "PT5S", "keepFor": "PT1H"}],
         "members": [{"vm": "vm-1", "volume": null}], "container": null, "paused": false,
         "newest": "2026-01-01T00:10:00Z", "lag": "PT1M5S", "lagState": "missed", "replica": null, "volumes": [],
         "cycles": %s}"""
        .formatted(GROUP, state, PEER, cycles);
  }

  private static String cycles() {
    return """
        {"runs": false, "begun": "2026-01-01T00:10:00Z", "took": "PT2S", "error": "the link broke",
         "ended": 7, "failed": 1, "dataBytes": 4096, "linkBytes": 2048}""";
  }

  @Test
  void anOfferEndsWithTheLineForTheOtherPool() throws Exception {
    server.when(
        "POST /replication/codes",
        201,
        """
        {"code": "0A1B2-C3D4E-5F6G7-H8J9K", "validUntil": "2026-01-01T00:10:00Z",
         "address": "berlin:9443"}""");

    assertThat(run("peer", "offer")).as(text(err)).isZero();
    assertThat(text(out))
        .contains("validUntil  2026-01-01T00:10:00Z\n")
        .endsWith("\ncoppice peer add berlin:9443 --code 0A1B2-C3D4E-5F6G7-H8J9K\n");

    assertThat(run("peer", "offer", "-o", "name")).as(text(err)).isZero();
    assertThat(text(out)).isEqualTo("0A1B2-C3D4E-5F6G7-H8J9K\n");
    assertThat(run("peer", "offer", "-o", "json")).as(text(err)).isZero();
    assertThat(text(out)).startsWith("{").doesNotContain("peer add");
  }

  @Test
  void anOfferCannotBringCommandsIntoAShell() throws Exception {
    server.when(
        "POST /replication/codes",
        201,
        """
        {"code": "$(reboot)", "validUntil": "2026-01-01T00:10:00Z", "address": "[::1]:9443"}""");

    assertThat(run("peer", "offer")).as(text(err)).isZero();
    assertThat(text(out)).endsWith("\ncoppice peer add '[::1]:9443' --code '$(reboot)'\n");
  }

  @Test
  void aPeerIsAddedMovedAndRemovedByItsName() throws Exception {
    server
        .when("POST /replication/peers", 201, POOL)
        .when("PATCH /replication/peers/" + PEER, 200, POOL)
        .when("DELETE /replication/peers/" + PEER, 204, "");

    assertThat(run("peer", "add", "munich:9443", "--code", "0A1B2")).as(text(err)).isZero();
    assertThat(sent()).isEqualTo("{\"address\":\"munich:9443\",\"code\":\"0A1B2\"}");
    assertThat(text(out)).contains("NAME", "munich:9444", "2027-01-01T00:00:00Z", PEER);

    assertThat(run("peer", "change", "munich", "--address", "m2:9444")).as(text(err)).isZero();
    assertThat(sent()).isEqualTo("{\"address\":\"m2:9444\"}");

    assertThat(run("peer", "remove", "munich")).as(text(err)).isZero();
    assertThat(text(out)).isEqualTo("peer munich is removed\n");
  }

  @Test
  void aGroupIsMadeOfNamesAndShortTimes() throws Exception {
    server
        .when(
            "GET /vvols?name=disk&limit=1000",
            200,
            page("{\"id\":\"%s\",\"name\":\"disk\"}".formatted(DISK)))
        .when("GET /vms?limit=1000", 200, page("{\"id\": \"vm-1\", \"name\": \"shop-db\"}"))
        .when("POST /replication/groups", 201, group("SOURCE", cycles()));

    int status =
        run(
            "replication-group",
            "create",
            "shop",
            "--peer=munich",
            "--every=15s",
            "--rpo=1m",
            "--vm=shop-db",
            "--volume=disk",
            "--container=gold",
            "--keep=5s for 1h, 1m for 1d",
            "--keep=15m for 1w",
            "--paused");

    assertThat(status).as(text(err)).isZero();
    assertThat(sent())
        .isEqualTo(
            "{\"name\":\"shop\",\"peer\":\"%s\",\"interval\":\"PT15S\",".formatted(PEER)
                + "\"rpo\":\"PT1M\","
                + "\"keep\":[{\"every\":\"PT5S\",\"keepFor\":\"PT1H\"},"
                + "{\"every\":\"PT1M\",\"keepFor\":\"PT24H\"},"
                + "{\"every\":\"PT15M\",\"keepFor\":\"PT168H\"}],"
                + "\"members\":[{\"vm\":\"vm-1\"},{\"volume\":\"%s\"}],".formatted(DISK)
                + "\"container\":\"gold\",\"paused\":true}");
  }

  @Test
  void aListTellsHowFarTheTargetIsBehind() throws Exception {
    server.when(
        "GET /replication/groups?peer=%s&limit=1000".formatted(PEER),
        200,
        page(group("SOURCE", cycles()) + "," + group("TARGET", "null")));

    assertThat(run("replication-group", "list", "--peer", "munich")).as(text(err)).isZero();
    assertThat(text(out).lines().map(line -> line.replaceAll(" {2,}", "|")))
        .containsExactly(
            "NAME|STATE|PEER|EVERY|LAG|RPO|NEWEST|LAST ERROR|ID",
            "shop|SOURCE|%s|15s|1m5s|1m|2026-01-01T00:10:00Z|the link broke|%s"
                .formatted(PEER, GROUP),
            "shop|TARGET|%s|15s|1m5s|1m|2026-01-01T00:10:00Z|-|%s".formatted(PEER, GROUP));

    assertThat(run("replication-group", "list", "--peer", PEER, "-o", "wide")).isZero();
    assertThat(text(out))
        .contains("KEEP", "5s for 1h", "PAUSED", "LAG IS", "missed", "OVER LINK", "2.0 KiB");
  }

  @Test
  void aChangeSendsOnlyWhatIsGiven() throws Exception {
    server.when("PATCH /replication/groups/" + GROUP, 200, group("SOURCE", cycles()));

    assertThat(run("replication-group", "change", "shop", "--paused", "no")).as(text(err)).isZero();
    assertThat(sent()).isEqualTo("{\"paused\":false}");
    assertThat(run("replication-group", "change", "shop", "--keep", "none")).isZero();
    assertThat(sent()).isEqualTo("{\"keep\":[]}");
    assertThat(run("replication-group", "change", "shop", "--every", "1m", "--name", "s")).isZero();
    assertThat(sent()).isEqualTo("{\"name\":\"s\",\"interval\":\"PT1M\"}");
    assertThat(run("replication-group", "change", "shop", "--keep", "5s")).isEqualTo(2);
    assertThat(text(err)).contains("expected --keep '5s for 1h, 1m for 1d, 15m for 1w' or none");
    assertThat(run("replication-group", "change", "shop", "--paused", "maybe")).isEqualTo(2);
    assertThat(text(err)).contains("expected --paused yes or no, got 'maybe'");
  }

  @Test
  void aCycleIsRunAndItsReplicaShown() throws Exception {
    server
        .when(
            "POST /replication/groups/%s/synchronize".formatted(GROUP),
            200,
            "{\"replica\": \"%s\"}".formatted(REPLICA))
        .when(
            "GET /replication/groups/%s/replicas?limit=1000".formatted(GROUP),
            200,
            page(
                """
                {"id": "%s", "number": 12, "taken": "2026-01-01T00:10:00Z", "name": "before",
                 "tags": ["a", "b"], "members": 2, "size": 4096}"""
                    .formatted(REPLICA)));

    assertThat(run("replication-group", "sync", "shop", "-o", "name")).as(text(err)).isZero();
    assertThat(sent()).isEmpty();
    assertThat(text(out)).isEqualTo(REPLICA + "\n");
    assertThat(run("replication-group", "sync", "shop", "--name", "before", "--tag=a", "--tag=b"))
        .as(text(err))
        .isZero();
    assertThat(sent()).isEqualTo("{\"name\":\"before\",\"tags\":[\"a\",\"b\"]}");

    assertThat(run("replication-group", "replicas", "shop")).as(text(err)).isZero();
    assertThat(text(out)).contains("NUMBER", "12", "before", "a, b", "4.0 KiB", REPLICA);
  }

  @Test
  void aFailOverSaysWhatIsWantedAndNoMore() throws Exception {
    String path = "POST /replication/groups/" + GROUP;
    server
        .when(path + "/fail-over", 200, group("FAILEDOVER", "null"))
        .when(path + "/test", 200, group("INTEST", "null"))
        .when("DELETE /replication/groups/%s/test".formatted(GROUP), 200, group("TARGET", "null"));

    assertThat(run("replication-group", "fail-over", "shop")).as(text(err)).isZero();
    assertThat(sent()).isEmpty();
    assertThat(text(out)).contains("FAILEDOVER");
    assertThat(run("replication-group", "fail-over", GROUP, "--planned", "--check")).isZero();
    assertThat(sent()).isEqualTo("{\"planned\":true,\"checkOnly\":true}");
    assertThat(run("replication-group", "test", GROUP, "--replica", REPLICA)).isZero();
    assertThat(sent()).isEqualTo("{\"replica\":\"%s\"}".formatted(REPLICA));
    assertThat(run("replication-group", "test", GROUP, "--replica", "before")).isEqualTo(2);
    assertThat(text(err)).contains("expected --replica as an id, got 'before'");
    assertThat(run("replication-group", "end-test", GROUP)).as(text(err)).isZero();
    assertThat(text(out)).contains("TARGET");
  }
}
