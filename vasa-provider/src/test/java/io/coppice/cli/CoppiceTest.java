package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.Page;
import io.coppice.api.volume.NewPlainVolume;
import io.coppice.api.volume.Vvol;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.rest.Certificates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands against a server that answers what the test wants: what is sent, printed and exited
/// with.
class CoppiceTest {

  private static final UUID ID = UUID.fromString("11111111-2222-4333-8444-555555555555");
  private static final UUID OTHER = UUID.fromString("aaaaaaaa-2222-4333-8444-555555555555");

  @TempDir private Path folder;
  private ScriptedServer server;
  private final Map<String, String> variables = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer(folder);
    variables.put("COPPICE_URL", server.url());
    variables.put("COPPICE_TOKEN", "a-token");
    variables.put("COPPICE_CA", server.pem(folder).toString());
    variables.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aNameIsLookedForAndAnIdIsNot() {
    server
        .when("GET /containers?limit=1000", 200, page(named("c", OTHER)))
        .when("POST /volumes", 201, volume("db-1", ID));

    assertThat(run("volume", "create", "db-1", "--size", "10GiB", "--container", "c")).isZero();

    assertThat(server.asked.getLast().token()).isEqualTo("Bearer a-token");
    assertThat(Notation.as(Notation.read(server.asked.getLast().body()), NewPlainVolume.class))
        .isEqualTo(new NewPlainVolume("db-1", null, 10L << 30, OTHER, null, null));
    assertThat(text(out)).contains("NAME", "db-1", "1.0 GiB", ID.toString());
    server.asked.clear();
    run("volume", "delete", ID.toString());
    assertThat(server.asked)
        .extracting(ScriptedServer.Asked::call)
        .containsExactly("DELETE /volumes/" + ID);
  }

  @Test
  void aCloneIsOneRequestAndTakesTheRestFromItsSource() {
    server.when("POST /volumes", 201, volume("copy", OTHER));

    assertThat(run("volume", "clone", ID.toString(), "copy")).as(text(err)).isZero();
    assertThat(
            run(
                "volume",
                "create",
                "copy",
                "--source",
                ID.toString(),
                "--size",
                "2GiB",
                "--label",
                "app=a=b",
                "--label",
                "tier="))
        .as(text(err))
        .isZero();

    assertThat(server.asked)
        .extracting(ScriptedServer.Asked::body)
        .containsExactly(
            "{\"name\":\"copy\",\"source\":\"%s\"}".formatted(ID),
            "{\"name\":\"copy\",\"source\":\"%s\",\"size\":2147483648,\"labels\":{\"app\":\"a=b\",\"tier\":\"\"}}"
                .formatted(ID));
  }

  @Test
  void statusShowsOnlyWhatHasAValue() {
    server.when(
        "GET /system",
        200,
        """
        {"pool": "p", "version": "1.2.3", "status": {"state": "SERVING", "reason": "", "stopped": false},
         "space": {"free": 4096}, "spaceLimit": null, "mirror": null, "portals": ["127.0.0.1:3260"],
         "urls": {"vasa": "https://v"}}
        """);

    assertThat(run("status")).as(text(err)).isZero();

    assertThat(text(out))
        .contains("status    state SERVING, stopped false\n", "space     free 4.0 KiB\n")
        .doesNotContain("mirror", "limit");
  }

  @Test
  void labelsAreSetRemovedAndLookedFor() {
    server
        .when("PATCH /volumes/" + ID, 200, volume("v", ID))
        .when("GET /volumes?label=app%3Dshop&label=tier&limit=1000", 200, page(volume("v", ID)));

    assertThat(
            run("volume", "update", ID.toString(), "--label", "app=shop", "--remove-label", "old"))
        .as(text(err))
        .isZero();
    assertThat(run("volume", "list", "--label", "app=shop", "--label", "tier", "-o", "wide"))
        .as(text(err))
        .isZero();

    assertThat(server.asked.getFirst().body())
        .isEqualTo("{\"labels\":{\"app\":\"shop\",\"old\":null}}");
    assertThat(text(out)).contains("LABELS");
    assertThat(run("volume", "update", ID.toString(), "--label", "a=b", "--label", "a=c"))
        .isEqualTo(2);
    assertThat(run("volume", "snapshot", ID.toString(), "s", "--label", "a")).isEqualTo(2);
  }

  @Test
  void addIsTheSameAsCreate() {
    server.when("POST /containers", 201, "{\"id\": \"%s\", \"name\": \"c\"}".formatted(ID));

    run("container", "add", "c", "--quota", "1GiB", "-o", "json");

    assertThat(server.asked)
        .extracting(ScriptedServer.Asked::call)
        .containsExactly("POST /containers");
  }

  @Test
  void topShowsTheRatesBetweenTwoLooks() {
    String counters =
        "\"at\": \"2026-11-24T00:00:0%dZ\", \"read\": {\"commands\": %d, \"bytes\": 0, \"time\": 0},"
            + " \"write\": {\"commands\": 0, \"bytes\": 0, \"time\": 0}";
    for (int look = 0; look < 2; look++) {
      String now = counters.formatted(2 * look, 10 * look);
      server
          .then(
              "GET /traffic?limit=1000",
              page("{\"vvol\": \"%s\", \"name\": \"db\", %s}".formatted(ID, now)))
          .then("GET /traffic/total", "{%s}".formatted(now));
    }

    assertThat(run("top", "--count", "1", "--interval", "PT0.2S")).as(text(err)).isZero();

    assertThat(text(out))
        .contains("2026-11-24T00:00:02Z  5 reads/s", "VOLUME", "db")
        .doesNotContain("\u001b");
  }

  @Test
  void historyIsATableOfStatistics() {
    server.when(
        "GET /volumes/%s/history?window=24h&series=reads%%2CbytesRead%%2CwriteLatency"
            .formatted(ID),
        200,
        """
        {"id": "%s", "from": "2026-11-25T00:00:00Z", "to": "2026-11-26T00:00:00Z", "step": "1m",
         "obstacle": "it is switched off", "series": [
          {"name": "reads", "unit": "1/s", "values": [1.5, null],
           "statistics": {"min": 1.5, "avg": 20.25, "max": 340.0, "p95": 300.0, "last": 1.5}},
          {"name": "bytesRead", "unit": "B/s", "values": [4096, null],
           "statistics": {"min": 0, "avg": 2048, "max": 4096, "p95": 4096, "last": 4096}},
          {"name": "writeLatency", "unit": "µs", "values": [null, null], "statistics": null}]}
        """
            .formatted(ID));

    assertThat(
            run(
                "history",
                "volume",
                ID.toString(),
                "--window",
                "24h",
                "--series",
                "reads,bytesRead,writeLatency"))
        .as(text(err))
        .isZero();

    assertThat(text(out)).contains("SERIES", "P95", "20", "340", "4.0 KiB", "/s", "-");
    assertThat(text(err))
        .contains(
            "2026-11-25T00:00:00Z to 2026-11-26T00:00:00Z by steps of 1m", "it is switched off");
  }

  @Test
  void theHistoryOfAHostIsFoundByItsName() {
    server.when("GET /hosts?name=web&limit=1000", 200, page(named("web", ID)));
    server.when("GET /hosts/%s/history".formatted(ID), 200, "{\"series\": []}");

    assertThat(run("history", "host", "web", "-o", "json")).as(text(err)).isZero();
  }

  @Test
  void topRefusesWhatItDoesNotKnow() {
    assertThat(run("top", "--by", "size")).isEqualTo(2);
    assertThat(text(err)).contains("expected --by iops, bandwidth or latency, got 'size'");
    assertThat(run("top", "--interval", "1w")).isEqualTo(2);
    assertThat(run("top", "--interval", "0s")).isEqualTo(2);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void aNameThatSeveralHaveIsRefusedWithTheirIds() {
    server.when(
        "GET /volumes?name=db&limit=1000", 200, page(volume("db", ID), volume("db", OTHER)));

    assertThat(run("volume", "delete", "db")).isEqualTo(2);

    assertThat(text(err))
        .contains("expected one volume 'db', but 2", ID.toString(), OTHER.toString());
    assertThat(server.asked).hasSize(1);
  }

  @Test
  void aNameThatNobodyHasIsNotFound() {
    server.when("GET /volumes?name=a%2F..%20b&limit=1000", 200, page());

    assertThat(run("volume", "show", "a/.. b")).isEqualTo(3);
    assertThat(text(err)).isEqualTo("coppice: there is no volume 'a/.. b'\n");
  }

  @Test
  void partsOfAListBecomeOneAndJsonIsTheTypeOfTheApi() {
    server
        .when(
            "GET /volumes?limit=1000",
            200,
            "{\"items\": [%s], \"next\": \"n=\"}".formatted(volume("a", ID)))
        .when("GET /volumes?limit=1000&cursor=n%3D", 200, page(volume("b", OTHER)));

    assertThat(run("volume", "list", "-o", "json")).isZero();

    var read = Notation.read(text(out));
    Page<?> page = Notation.as(read, Page.class);
    assertThat(page.next()).isNull();
    assertThat(read.get("items").valueStream().map(one -> Notation.as(one, Vvol.class).name()))
        .containsExactly("a", "b");
    out.reset();
    run("volume", "list", "-o", "name");
    assertThat(text(out)).isEqualTo("%s\n%s\n".formatted(ID, OTHER));
  }

  @Test
  void aLimitIsKeptAndSaidAndFiltersArePassedOn() {
    server.when(
        "GET /volumes?a=b%26c&limit=1",
        200, "{\"items\": [%s], \"next\": \"n\"}".formatted(volume("a", ID)));

    assertThat(run("volume", "list", "--limit", "1", "--filter", "a=b&c")).isZero();

    assertThat(text(out).lines()).hasSize(2);
    assertThat(text(err)).contains("there are more");
  }

  @Test
  void aDryRunPrintsALineWithoutTheTokenAndSendsNothing() {
    assertThat(run("volume", "rename", ID.toString(), "it's; rm -rf $HOME `x`", "--dry-run"))
        .isZero();

    assertThat(server.asked).isEmpty();
    assertThat(text(out))
        .isEqualTo(
            "curl --fail-with-body -sS --cacert %s -X PATCH -H \"Authorization: Bearer $COPPICE_TOKEN\""
                    .formatted(variables.get("COPPICE_CA"))
                + " -H 'Content-Type: application/json' --data-raw '{\"name\":\"it'\\''s; rm -rf $HOME `x`\"}'"
                + " %s/api/v1/volumes/%s\n".formatted(server.url(), ID));
  }

  @Test
  void exitStatusesTellKindsOfFailuresApart() {
    Map<Integer, String> codes =
        Map.of(
            400,
            "invalid-argument",
            401,
            "unauthorized",
            404,
            "not-found",
            409,
            "in-use",
            503,
            "busy",
            500,
            "internal");
    Map<Integer, Integer> statuses = Map.of(400, 1, 401, 4, 404, 3, 409, 8, 503, 8, 500, 6);
    statuses.forEach(
        (http, status) -> {
          err.reset();
          server.when(
              "DELETE /volumes/" + ID,
              http,
              "{\"status\": %d, \"code\": \"%s\", \"title\": \"t\", \"detail\": \"why\\u001b[2J\", \"traceId\": \"trace-1\"}"
                  .formatted(http, codes.get(http)));

          assertThat(run("volume", "delete", ID.toString())).as("HTTP %d", http).isEqualTo(status);
          assertThat(text(err)).isEqualTo("coppice: why\\x1b[2J\n");
          run("volume", "delete", ID.toString(), "-v");
          assertThat(text(err)).contains("code " + codes.get(http), "trace id trace-1");
        });
    assertThat(text(out)).isEmpty();
  }

  @Test
  void whatIsTypedWrongIsUsage() {
    for (String line :
        new String[] {
          "volume",
          "volume lst",
          "volume list x",
          "volume show",
          "volume create x",
          "volume list -o xml",
          "volume list --limit 0",
          "volume grow %s 10Q".formatted(ID),
          "job show ..",
          "volume show --nix",
          "snapshot revert %s --wait --no-wait".formatted(ID),
          "completion fish",
          "volume list --filter x",
          "profile use missing",
          "policy apply -f missing.yaml"
        }) {
      err.reset();
      assertThat(run(line.split(" "))).as(line + ": " + text(err)).isEqualTo(2);
      assertThat(text(err)).as(line).isNotEmpty();
    }
    assertThat(server.asked).isEmpty();
  }

  @Test
  void aNameMayLookLikeAnOption() {
    server.when("GET /volumes?name=--help&limit=1000", 200, page(volume("--help", ID)));
    server.when("GET /volumes/" + ID, 200, volume("--help", ID));

    assertThat(run("volume", "show", "--", "--help")).isZero();
    assertThat(text(out)).contains(ID.toString()).doesNotContain("Usage");
  }

  @Test
  void aJobIsAwaitedAndItsFailureIsTheCommands() {
    server
        .when(
            "POST /snapshots/%s/revert".formatted(ID), 202, ServedItems.job(ID, "running", "null"))
        .when(
            "GET /jobs/revert:" + ID,
            200,
            ServedItems.job(ID, "error", "{\"status\": 409, \"detail\": \"is bound\"}"));

    assertThat(run("snapshot", "revert", ID.toString())).isEqualTo(7);
    assertThat(text(err)).contains("revert: 40 %", "job revert:%s failed: is bound".formatted(ID));
    assertThat(run("snapshot", "revert", ID.toString(), "--no-wait")).isZero();
    assertThat(run("job", "wait", "revert:" + ID)).isEqualTo(7);
  }

  @Test
  void aServerThatIsNotThereOrNotThePinnedOneIsUnreachable() throws Exception {
    try (ScriptedServer another = new ScriptedServer(folder)) {
      variables.put("COPPICE_URL", another.url());

      assertThat(run("volume", "list")).isEqualTo(5);

      assertThat(another.asked).isEmpty();
      assertThat(text(err))
          .contains(
              "is not trusted: expected one that the pinned root "
                  + Certificates.fingerprint(server.certificate),
              "ends with " + Certificates.fingerprint(another.certificate));
    }
    assertThat(run("volume", "list")).isEqualTo(5);
  }

  @Test
  void loginPinsTheCertificateThatIsConfirmedAndNoOther() {
    server.when(
        "GET /me", 200, "{\"token\": \"%s\", \"name\": \"me\", \"role\": \"admin\"}".formatted(ID));
    server.when("GET /volumes?limit=1000", 200, page());
    String print = Certificates.fingerprint(server.certificate);

    assertThat(run("login", server.url(), "--name", "prod")).as("nobody to ask").isEqualTo(2);
    assertThat(run("login", server.url(), "--yes")).isEqualTo(2);
    assertThat(
            run(
                "login",
                server.url(),
                "--fingerprint",
                (print.startsWith("0") ? "1" : "0") + print.substring(1)))
        .isEqualTo(5);
    assertThat(server.asked).as("no token before the certificate is trusted").isEmpty();
    assertThat(text(err)).contains("SHA-256 " + print);
    assertThat(Files.exists(folder.resolve("config"))).isFalse();

    assertThat(run("login", server.url(), "--name", "prod", "--fingerprint", print.toLowerCase()))
        .as(text(err))
        .isZero();
    variables.keySet().removeAll(List.of("COPPICE_URL", "COPPICE_TOKEN", "COPPICE_CA"));
    assertThat(run("volume", "list")).as(text(err)).isZero();
    assertThat(server.asked.getLast().token()).isEqualTo("Bearer a-token");
    run("profile", "list", "-o", "json");
    assertThat(text(out)).contains("\"prod\"", print).doesNotContain("a-token");
    assertThat(run("logout")).isZero();
    assertThat(run("volume", "list")).isEqualTo(2);
  }

  @Test
  void followingPrintsWhatComesAfterTheNewestEvent() throws Exception {
    server
        .when("GET /events?limit=1", 200, page(ServedItems.event(5, "old")))
        .when(
            "GET /events?after=5&limit=1000",
            200,
            page(ServedItems.event(6, "new\\u001b[2J"), ServedItems.event(7, "newer")));
    follow("new\\x1b[2J", "newer");
    assertThat(text(out)).doesNotContain("old");
  }

  @Test
  void followingTakesTheStreamIfThereIsOne() throws Exception {
    server.when(
        "GET /events/stream",
        200,
        "event: hello\ndata: {}\n\nid: 6\nevent: event\ndata: %s\n\nid: 6\nevent: job\ndata: {}\n\n: beat\n\n"
            .formatted(ServedItems.event(6, "streamed").replace("\n", "")));
    follow("streamed");
    assertThat(server.asked).extracting(ScriptedServer.Asked::call).contains("GET /events/stream");
  }

  private void follow(String... expected) throws Exception {
    server.when("GET /events?limit=1", 200, page(ServedItems.event(5, "old")));
    Thread following = Thread.ofPlatform().start(() -> run("events", "--follow"));
    try {
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (!List.of(expected).stream().allMatch(text(out)::contains)) {
        assertThat(System.nanoTime()).as("%s%n%s", text(out), text(err)).isLessThan(end);
        Thread.onSpinWait();
      }
    } finally {
      following.interrupt();
      following.join();
    }
  }

  private int run(String... args) {
    return Coppice.run(
        new Surroundings(
            variables,
            folder,
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false),
        args);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static String page(String... items) {
    return "{\"items\": [%s], \"next\": null}"
        .formatted(String.join(", ", new ArrayList<>(List.of(items))));
  }

  private static String named(String name, UUID id) {
    return "{\"id\": \"%s\", \"name\": \"%s\"}".formatted(id, name);
  }

  private static String volume(String name, UUID id) {
    return """
        {"id": "%s", "naa": "n", "name": "%s", "type": "Other", "container": "%s", "size": 1073741824,
         "mapped": 0, "unique": 0, "reserved": 0, "bound": false, "exported": false, "plain": true,
         "created": "2026-01-01T00:00:00Z", "metadata": {}, "later": 1}"""
        .formatted(id, name, ID);
  }
}
