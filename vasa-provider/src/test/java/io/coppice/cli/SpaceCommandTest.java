package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands about space that deletions would give back: names of several kinds, and tables.
class SpaceCommandTest {

  private static final String DISK = "11111111-2222-4333-8444-555555555555";
  private static final String SNAPSHOT = "aaaaaaaa-2222-4333-8444-555555555555";
  private static final String NOTHING = "{\"items\": [], \"next\": null}";

  @TempDir private Path folder;
  private ScriptedServer server;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) throws Exception {
    return ScriptedClient.run(server, folder, out, err, args);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static String named(String name, String id) {
    return "{\"items\": [{\"id\": \"%s\", \"name\": \"%s\"}], \"next\": null}".formatted(id, name);
  }

  @Test
  void aNameMayBeThatOfAVolumeOrASnapshot() throws Exception {
    server
        .when("GET /vvols?name=db&limit=1000", 200, named("db", DISK))
        .when("GET /snapshots?name=db&limit=1000", 200, NOTHING)
        .when("GET /vvols?name=old&limit=1000", 200, NOTHING)
        .when("GET /snapshots?name=old&limit=1000", 200, named("old", SNAPSHOT))
        .when(
            "GET /space/freed?ids=%s%%2C%s&snapshots=true".formatted(DISK, SNAPSHOT),
            200,
            """
            {"bytes": 3221225472, "atLeast": false, "sentence": "Deleting these 2 gives back 3.0 GiB.",
             "items": [
              {"id": "%s", "kind": "volume", "name": "db", "container": "%s", "alone": 1073741824,
               "total": 1073741824, "shared": 0, "stays": null},
              {"id": "%s", "kind": "snapshot", "name": "old", "container": "%s", "alone": 0,
               "total": 3221225472, "shared": 2147483648, "stays": null}]}
            """
                .formatted(DISK, DISK, SNAPSHOT, DISK));

    assertThat(run("space", "freed", "db", "old", "--snapshots")).as(text(err)).isZero();

    assertThat(text(out)).contains("ALONE", "TOTAL", "1.0 GiB", "3.0 GiB", "snapshot", SNAPSHOT);
    assertThat(text(err)).contains("Deleting these 2 gives back 3.0 GiB.");
  }

  @Test
  void aNameOfTwoKindsOrOfNoneIsRefused() throws Exception {
    server
        .when("GET /vvols?name=db&limit=1000", 200, named("db", DISK))
        .when("GET /snapshots?name=db&limit=1000", 200, named("db", SNAPSHOT))
        .when("GET /vvols?name=no&limit=1000", 200, NOTHING)
        .when("GET /snapshots?name=no&limit=1000", 200, NOTHING);

    assertThat(run("space", "freed", "db")).isEqualTo(2);
    assertThat(text(err)).contains("expected one vVol or snapshot 'db', but 2", DISK, SNAPSHOT);
    assertThat(run("space", "freed", "no")).isEqualTo(3);
    assertThat(text(err)).contains("there is no vVol or snapshot 'no'");
  }

  @Test
  void whatMustGoIsATable() throws Exception {
    server.when(
        "GET /space/reclaimable?bytes=100000000000&volumes=true",
        200,
        """
        {"enough": true, "bytes": 108447924224, "atLeast": false, "candidates": 3,
         "sentence": "Deleting the oldest of 3 snapshots gives back 101.0 GiB.",
         "items": [{"id": "%s", "kind": "snapshot", "name": "old", "vvol": "%s", "container": "%s",
           "created": "2026-01-01T00:00:00Z", "total": 108447924224}]}
        """
            .formatted(SNAPSHOT, DISK, DISK));

    assertThat(run("space", "reclaim", "100GB", "--volumes")).as(text(err)).isZero();

    assertThat(text(out)).contains("CREATED", "101.0 GiB", "2026-01-01", SNAPSHOT);
    assertThat(text(err)).contains("Deleting the oldest of 3");
    assertThat(run("space", "reclaim", "much")).isEqualTo(2);
    assertThat(text(err)).contains("expected SIZE as a size like 10GiB");
  }
}
