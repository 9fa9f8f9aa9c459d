package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.api.Role;
import io.coppice.api.iscsi.IscsiSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.SmartLifecycle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The stream of events, jobs and changed objects.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EventStreamTest {

  private static final int MOST = 3;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final AdminServer server = new AdminServer();
  private final List<Follower> followers = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Follower follower : followers) {
      follower.close();
    }
    server.close();
  }

  /// One thing that a stream told.
  private record Sent(String id, String type, JsonNode data) {}

  /// A client that reads a stream.
  private final class Follower implements AutoCloseable {

    private final HttpResponse<InputStream> answer;
    private final BufferedReader lines;
    private String id = "";

    Follower(String token, String path, String... headers) {
      this(server, token, path, headers);
    }

    Follower(AdminServer from, String token, String path, String... headers) {
      answer = from.open(token, path, headers);
      lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      followers.add(this);
    }

    /// The next one that is as wanted.
    Sent next(Predicate<Sent> wanted) throws IOException {
      String type = "";
      String data = "";
      String line;
      while ((line = lines.readLine()) != null) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (line.isEmpty() && !type.isEmpty()) {
          Sent sent = new Sent(id, type, JSON.readTree(data));
          type = "";
          if (wanted.test(sent)) {
            return sent;
          }
        }
      }
      throw new AssertionError("expected more, but the stream has ended");
    }

    Sent next(String type) throws IOException {
      return next(sent -> sent.type().equals(type));
    }

    /// The next one of a type that is about an object.
    Sent next(String type, String object) throws IOException {
      return next(
          sent -> sent.type().equals(type) && sent.data().at("/id").asString().equals(object));
    }

    boolean hasEnded() throws IOException {
      return lines.lines().toList() != null;
    }

    @Override
    public void close() throws IOException {
      answer.body().close();
    }
  }

  private Follower follow(String path, String... headers) {
    Follower follower = new Follower(AdminServer.ADMIN, path, headers);
    assertThat(follower.answer.statusCode()).isEqualTo(200);
    assertThat(follower.answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
    return follower;
  }

  @Test
  void changesComeWithTheirIdsAndObjects() throws IOException {
    String before = server.container("before");
    Follower follower = follow("events/stream");

    String container = server.container("streamed");
    Sent event = follower.next("event");

    assertThat(event.data().at("/objectId").asString()).isEqualTo(container).isNotEqualTo(before);
    assertThat(event.data().at("/sentence").asString()).contains("streamed").endsWith(".");
    assertThat(event.data().at("/actor/kind").asString()).isEqualTo("rest");
    assertThat(event.id()).isEqualTo(event.data().at("/id").asString());
    Sent changed = follower.next("changed");
    assertThat(changed.id()).isEqualTo(event.id());
    assertThat(changed.data().at("/id").asString()).isEqualTo(container);
    assertThat(changed.data().at("/change").asString()).isEqualTo("New");
  }

  @Test
  void aStreamBeginsWithTheVersionAndTheRunOfTheProvider() throws IOException {
    server.container("before");

    Sent first = follow("events/stream").next(_ -> true);
    assertThat(first.type()).isEqualTo("hello");
    assertThat(first.id()).isEmpty();
    assertThat(first.data().at("/version").asString())
        .isEqualTo(server.get("version").text("/version"));
    Sent resumed = follow("events/stream?after=0").next(_ -> true);
    assertThat(resumed).isEqualTo(first);
    try (AdminServer next = new AdminServer()) {
      Sent other = new Follower(next, AdminServer.ADMIN, "events/stream").next(_ -> true);
      assertThat(other.data().at("/boot").asString())
          .isNotEqualTo(first.data().at("/boot").asString());
    }
  }

  @Test
  void whatAnEarlierVersionWroteOfAnotherTypeIsAnEventAlone() throws IOException {
    Follower follower = follow("events/stream");
    server
        .control
        .jdbc
        .sql(
            """
            INSERT INTO change_event (at, type, object_type, object_id, message_id,
              virtual_volumes, parameter_names, parameter_values)
            VALUES (now(), 'Config', 'Former', 'an-id', 'io.coppice.event.Former', '{}', '{}', '{}')
            """)
        .update();
    String container = server.container("after");

    assertThat(follower.next("event").data().at("/objectType").asString()).isEqualTo("Former");
    Sent next = follower.next(sent -> !sent.type().equals("job"));
    assertThat(next.data().at("/objectId").asString()).isEqualTo(container);
  }

  @Test
  void aTokenThatIsBoundToAContainerHearsOfThatOnly() throws IOException {
    String own = server.container("own");
    String other = server.container("other");
    String token = bound(own);
    Follower follower = new Follower(token, "events/stream");
    String hidden = server.volume(other, "hidden");
    String snapshots = "vvols/%s/snapshots?wait=10s";
    server.post(snapshots.formatted(hidden), "{\"name\": \"a\"}");
    String volume = server.volume(own, "disk");
    String job =
        server.callAs(token, "POST", snapshots.formatted(volume), "{\"name\": \"a\"}").text("/id");

    List<String> told = new ArrayList<>();
    follower.next(
        sent -> {
          told.add(sent.type() + " " + sent.data());
          return sent.type().equals("job") && sent.data().at("/id").asString().equals(job);
        });
    assertThat(told).anyMatch(one -> one.startsWith("event ") && one.contains(volume));
    assertThat(told).noneMatch(one -> one.contains(hidden) || one.contains(other));
    assertThat(told).filteredOn(one -> one.startsWith("job ")).allMatch(one -> one.contains(job));
  }

  @Test
  void sessionsBeginAndEndInTheStreamAndNowhereElse() throws IOException {
    String initiator = "iqn.2026-11.test:streamed";
    String token = bound(server.container("own"));
    Follower follower = follow("events/stream");
    Follower bound = new Follower(token, "events/stream");
    server.container("before");
    follower.next("event"); // it has seen the sessions of now
    List<IscsiSession> others = server.bean(ScriptedPortals.class).others;

    others.add(ScriptedPortals.session(initiator, "iqn:lun"));
    Sent begun = follower.next("changed", initiator);
    others.clear();
    Sent ended = follower.next("changed", initiator);

    assertThat(begun.data().at("/type").asString()).isEqualTo("IscsiSession");
    assertThat(begun.data().at("/change").asString()).isEqualTo("New");
    assertThat(ended.data().at("/change").asString()).isEqualTo("Delete");
    assertThat(server.get("events?object=" + initiator).json().at("/items")).isEmpty();
    String volume = server.volume(server.get("containers?name=own").text("/items/0/id"), "last");
    List<String> told = new ArrayList<>();
    bound.next(
        sent -> {
          told.add(sent.data().toString());
          return sent.data().toString().contains(volume);
        });
    assertThat(told).noneMatch(one -> one.contains(initiator));
  }

  private String bound(String container) {
    return server
        .post(
            "tokens",
            "{\"name\": \"bound\", \"role\": \"volume-admin\", \"containers\": [\"%s\"]}"
                .formatted(container))
        .text("/token");
  }

  @Test
  void jobsComeWithTheirStates() throws IOException {
    String volume = server.volume(server.container("jobs"), "disk");
    Follower follower = follow("events/stream");

    String job =
        server.post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"a\"}").text("/id");

    String state = stateOf(follower, job);
    while (state.equals("queued") || state.equals("running")) { // a look came before its end
      state = stateOf(follower, job);
    }
    assertThat(state).isEqualTo("success");
    Follower resumed = follow("events/stream?after=0");
    assertThat(stateOf(resumed, job)).isEqualTo("success");
  }

  /// The state that the stream tells next of a job.
  private static String stateOf(Follower follower, String job) throws IOException {
    return follower
        .next(it -> it.type().equals("job") && it.data().at("/id").asString().equals(job))
        .data()
        .at("/state")
        .asString();
  }

  @Test
  void streamIsResumedByItsLastId() throws IOException {
    server.container("first");
    String last = server.get("events?limit=1").text("/items/0/id");
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      made.add(server.container("later " + i));
    }

    for (Follower follower :
        List.of(
            follow("events/stream", "Last-Event-ID", last),
            follow("events/stream?after=" + last),
            follow("events/stream?after=0", "Last-Event-ID", last))) {
      List<String> told = new ArrayList<>();
      while (told.size() < made.size()) {
        told.add(follower.next("event").data().at("/objectId").asString());
      }
      assertThat(told).isEqualTo(made);
      follower.close();
    }
  }

  @Test
  void whatIsNotKeptAndBadRequestsAreRefusedBeforeTheStream() {
    assertThat(server.get("events/stream?after=999999999").text("/code")).isEqualTo("not-kept");
    assertThat(server.get("events/stream?after=999999999").status()).isEqualTo(410);
    Answer bad = server.call("GET", "events/stream", null, "Last-Event-ID", "x1");
    assertThat(bad.status()).as(bad.toString()).isEqualTo(400);
    assertThat(bad.text("/detail")).contains("'x1'");
    assertThat(server.get("events/stream?after=one").status()).isEqualTo(400);
    assertThat(server.get("events/stream?before=1").text("/code")).isEqualTo("unknown-parameter");
    assertThat(server.call("GET", "events/stream", null, "Accept", "application/json").status())
        .isEqualTo(406);
    assertThat(server.callAs("", "GET", "events/stream", null).status()).isEqualTo(401);
  }

  @Test
  void streamsAreBoundedAndAPlaceIsFreeOnceItsClientHasGone() throws Exception {
    for (int i = 0; i < MOST; i++) {
      follow("events/stream");
    }

    Answer refused = server.get("events/stream");

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text("/code")).isEqualTo("busy");
    assertThat(refused.header("Retry-After")).isNotEmpty();
    followers.getFirst().close();
    int status = 503;
    for (int i = 0; status == 503; i++) { // the server notices when it writes
      server.container("written " + i);
      TimeUnit.MILLISECONDS.sleep(200);
      Follower again = new Follower(AdminServer.ADMIN, "events/stream");
      status = again.answer.statusCode();
    }
    assertThat(status).isEqualTo(200);
  }

  @Test
  void streamEndsWithItsToken() throws IOException {
    Answer issued =
        server.post(
            "tokens",
            "{\"name\": \"short\", \"role\": \"%s\", \"expiresInDays\": 1}"
                .formatted(Role.OPERATOR.text()));
    Follower follower = new Follower(issued.text("/token"), "events/stream");
    server.delete("tokens/" + issued.text("/id"));

    Sent why = follower.next("problem");

    assertThat(why.data().at("/code").asString()).isEqualTo("unauthorized");
    assertThat(follower.hasEnded()).isTrue();
  }

  @Test
  void streamsEndWhenTheServerStops() throws IOException {
    Follower follower = follow("events/stream");
    SmartLifecycle streams = server.bean("eventStreams", SmartLifecycle.class);

    streams.stop();

    assertThat(follower.hasEnded()).isTrue();
    assertThat(server.get("events/stream").status()).isEqualTo(503);
    streams.start();
    follow("events/stream");
  }
}
