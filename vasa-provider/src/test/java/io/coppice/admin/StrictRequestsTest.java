package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.request.ApiFilter;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Mistakes of a client, each answered 4xx: the answer names the field, changes nothing, and is one
/// line of the log.
class StrictRequestsTest {

  private static final String ID = "6b0c2f1e-0000-4000-8000-000000000000";

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, containers, multipart/form-data, 415",
    "POST, containers, multipart/form-data; boundary=x, 415",
    "GET, containers, multipart/form-data, 200",
    "GET, no/such/path, multipart/form-data, 404",
    "PUT, vvols/6b0c2f1e-0000-4000-8000-000000000000/limits, application/x-www-form-urlencoded, 415",
    "POST, containers, application/json;charset=bogus, 415",
    "POST, containers, ///, 415",
  })
  void aBodyOfAnotherFormIsRefusedInOneLine(String method, String path, String type, int status) {
    try (CapturedOutput output = new CapturedOutput()) {
      Answer answer = server.call(method, path, "--x\r\nno=%zz&", "Content-Type", type);

      assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
      assertThat(output.lines()).isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"containers?=x", "containers?&=&", "vvols?vm=%zz", "containers?%00=1"})
  void aQueryThatCannotBeReadIsRefusedInOneLine(String path) throws Exception {
    try (CapturedOutput output = new CapturedOutput()) {
      Answer answer = RawRequest.get(server, path);

      assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
      assertThat(output.lines()).isLessThanOrEqualTo(1);
    }
  }

  /// What the description promises for every list, and one list did not keep.
  @Test
  void aValueThatTheDescriptionDoesNotListIsRefused() {
    var paths = server.get("openapi").json().get("paths");
    int asked = 0;
    for (String path : paths.propertyNames()) {
      for (var parameter : paths.get(path).at("/get/parameters")) {
        var values = parameter.at("/schema/enum");
        String name = parameter.path("name").asString("");
        if (values.isArray() && !path.contains("{") && !path.endsWith("/stream")) {
          Answer answer =
              server.get(path.substring(ApiFilter.ROOT.length() + 1) + "?" + name + "=neither");
          assertProblem(answer, 400, "invalid-argument");
          assertThat(answer.text("/target")).as(path).isEqualTo(name);
          assertThat(answer.text("/detail")).as(path).contains(values.get(0).asString(), "neither");
          asked++;
        }
      }
    }
    assertThat(asked).isGreaterThan(20);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, containers?label=x, label",
    "GET, vvols?order=size, order",
    "GET, vvols?containers=" + ID + ", containers",
    "GET, system?verbose=true, verbose",
    "GET, events?total=true, total",
    "DELETE, containers/" + ID + "?force=true, force",
    "POST, iscsi/portals/1/drain?wait=1s, wait",
    "DELETE, snapshots/" + ID + "?forced=true, forced",
    "GET, jobs?Limit=1, Limit",
  })
  void aParameterThatTheOperationDoesNotKnowIsRefused(String method, String path, String name) {
    Answer answer = server.call(method, path, null);

    assertProblem(answer, 400, "unknown-parameter");
    assertThat(answer.text("/target")).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "containers?limit=1&limit=2, limit",
    "vvols?vm=a&vm=b, vm",
    "vvols?container=, container",
    "snapshots?vm=, vm",
    "bindings?host=, host",
    "vvols?compliance=bogus, compliance",
    "vvols?type=Disk, type",
  })
  void aFilterThatWouldBeLeftOutIsRefused(String path, String field) {
    Answer answer = server.get(path);

    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/target")).isEqualTo(field);
  }

  @Test
  void aParameterOfAnotherTypeIsToldWhatIsExpected() {
    var paths = server.get("openapi").json().get("paths");
    Set<String> told = new TreeSet<>();
    for (String path : paths.propertyNames()) {
      for (var parameter : paths.get(path).at("/get/parameters")) {
        var schema = parameter.path("schema");
        String type = schema.path("format").asString(schema.path("type").asString(""));
        boolean typed = Set.of("integer", "int32", "int64", "boolean", "date-time").contains(type);
        if (typed && parameter.path("in").asString("").equals("query") && !path.contains("{")) {
          String name = parameter.path("name").asString("");
          Answer answer =
              server.get(
                  path.substring(ApiFilter.ROOT.length() + 1)
                      + "?"
                      + needed(paths.get(path), name)
                      + name
                      + "=x");
          assertProblem(answer, 400, "invalid-argument");
          assertThat(answer.text("/detail"))
              .as("%s %s", path, name)
              .contains("'x'", "expected ")
              .doesNotContain("another value", "value of type");
          told.add(type);
        }
      }
    }
    assertThat(told).contains("date-time", "boolean").hasSizeGreaterThan(2);
  }

  /// The other parameters that an operation cannot do without, with values.
  private static String needed(JsonNode path, String but) {
    StringBuilder query = new StringBuilder();
    for (JsonNode parameter : path.at("/get/parameters")) {
      String name = parameter.path("name").asString("");
      if (parameter.path("required").asBoolean(false) && !name.equals(but)) {
        boolean isText = parameter.at("/schema/type").asString("").equals("string");
        query.append(name).append('=').append(isText ? ID : "1").append('&');
      }
    }
    return query.toString();
  }

  @Test
  void aWrongElementOfAListIsNamedWithItsPlace() {
    Answer answer =
        server.post(
            "tokens", "{\"name\": \"t\", \"role\": \"volume-admin\", \"containers\": [\"gold\"]}");

    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/target")).isEqualTo("containers[0]");
  }

  @Test
  void aBodyThatNamesNothingChangesNothing() {
    String container = server.container(UUID.randomUUID().toString());
    String volume = server.volume(container, "v");
    String limits = "vvols/" + volume + "/limits";
    server.put(limits, "{\"maxIops\": 500}");

    Answer refused = server.put(limits, "{}");

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("maxIops");
    assertThat(server.get(limits).number("/maxIops")).isEqualTo(500);
    assertThat(server.put(limits, "{\"maxIops\": null}").status()).isEqualTo(200);
    assertProblem(server.put("vms/x/limits", "{}"), 400, "invalid-argument");
    assertProblem(server.patch("containers/" + container, "{}"), 400, "invalid-argument");
    assertProblem(server.patch("schedules/" + volume, "{}"), 400, "invalid-argument");
  }

  @Test
  void whatAServiceRefusesNamesTheField() {
    String name = UUID.randomUUID().toString();
    String container = server.container(name);

    assertTarget("name", "{\"name\": \"\", \"quota\": 1073741824}", "containers");
    assertTarget("quota", "{\"name\": \"q\", \"quota\": 1}", "containers");
    assertTarget("name", "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(name), "containers");
    String volume = "{\"name\": \"v\", \"size\": %s, \"container\": \"%s\", \"policy\": %s}";
    assertTarget("size", volume.formatted("7", container, null), "volumes");
    assertTarget("container", volume.formatted(ControlPlane.GIB, ID, null), "volumes");
    String policy = "\"" + ID + "\"";
    assertTarget("policy", volume.formatted(ControlPlane.GIB, container, policy), "volumes");
    assertTarget("name", "{\"name\": \"%s\"}".formatted("n".repeat(200)), "policies");
    assertTarget("containers", "{\"name\": \"p\", \"containers\": [\"" + ID + "\"]}", "policies");
    String plain = server.volume(container, "plain");
    String export = "{\"vvol\": \"%s\", \"initiators\": [%s], \"lun\": %d}";
    assertTarget("initiators", export.formatted(plain, "", 5), "exports");
    assertTarget("initiators", export.formatted(plain, "\"no name\"", 5), "exports");
    assertTarget("lun", export.formatted(plain, "\"iqn.2026-11.test:i\"", 99_999), "exports");
    Answer chap = server.put("initiators/no%20name/chap", "{\"secret\": \"a secret of 20 chars\"}");
    assertThat(chap.text("/target")).as(chap.toString()).isEqualTo("name");
    Answer type =
        server.put(
            "containers/" + container + "/default-policies/Disk", "{\"policy\": \"" + ID + "\"}");
    assertThat(type.text("/target")).as(type.toString()).isEqualTo("type");
  }

  private static void assertTarget(String field, String body, String path) {
    Answer answer = server.post(path, body);

    assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
    assertThat(answer.text("/target")).as(answer.toString()).isEqualTo(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\u0000", "a\\u0000b", "\\ud800"})
  void aTextThatTheDatabaseCannotKeepIsRefused(String name) {
    Answer answer =
        server.post("containers", "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(name));

    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/target")).isEqualTo("name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vvols?vm=%00",
        "snapshots?group=a%00",
        "vvols?cursor=AA",
        "vms?cursor=AA",
        "jobs?cursor=AA",
        "jobs/%C2%80%EF%BF%BF",
      })
  void anyTextInAQueryIsNoErrorOfTheServer(String path) {
    assertThat(server.get(path).status()).isBetween(200, 499);
  }

  @Test
  void aCursorOfAFarTimeIsRefused() {
    String far = "9999999999999.000000/" + ID;
    String cursor =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(far.getBytes(StandardCharsets.UTF_8));

    for (String list : new String[] {"vvols", "snapshots", "jobs"}) {
      assertProblem(server.get(list + "?cursor=" + cursor), 400, "invalid-argument");
    }
  }

  @Test
  void linesOfAClientStayWithinOneLineOfTheLog() {
    String said;
    try (CapturedOutput output = new CapturedOutput()) {
      server.get("no%0AERROR%0D%1B%C2%85%E2%80%A8such");
      said = output.text();
    }

    assertThat(said.lines()).hasSize(1);
    assertThat(said).contains("status=\"404\"").contains("code=\"no-such-path\"");
    assertThat(said.strip()).doesNotContainPattern("[\\p{Cntrl}\\u0085\\u2028&&[^\\n]]");
  }

  @Test
  void aBodyThatBreaksOffIsRefusedInOneLine() throws Exception {
    try (CapturedOutput output = new CapturedOutput()) {
      RawRequest.brokenOff(server, "containers");
      server.get("containers"); // the one before has been looked at

      assertThat(output.text()).doesNotContain("\tat ");
    }
  }
}
