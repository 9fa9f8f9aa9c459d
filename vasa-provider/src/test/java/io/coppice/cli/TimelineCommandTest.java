package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands about timelines.
class TimelineCommandTest {

  private static final String DISK = "11111111-2222-4333-8444-555555555555";
  private static final String TIMELINE = "GET /volumes/" + DISK + "/timeline?";
  private static final String PART =
      """
      {"tiers": [{"every": "PT5S", "keepFor": "PT1H"}], "oldest": "2026-11-27T13:00:00Z",
       "newest": "2026-11-27T14:32:05.123Z", "points": 720, "kept": 1073741824, "without": [],
       "items": [{"moment": "2026-11-27T14:32:05.123Z"}], "next": null}
      """;
  private static final String JOB =
      """
      {"id": "revertToMoment:1", "name": "revertToMoment", "state": "success", "progress": 100,
       "vvol": "%s", "created": "2026-11-27T14:40:00Z", "finished": "2026-11-27T14:40:00Z",
       "result": {"id": "%s", "group": null, "point": "2026-11-27T14:32:04.500Z",
                  "undo": "2026-11-27T14:40:00.007Z"}, "error": null}
      """
          .formatted(DISK, DISK);

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

  @Test
  void momentsAreListedToTheMillisecond() throws Exception {
    server.when(TIMELINE + "limit=1", 200, PART).when(TIMELINE + "limit=50", 200, PART);

    assertThat(run("volume", "timeline", DISK)).as(text(err)).isZero();

    assertThat(text(out)).contains("MOMENT", "LOCAL", "2026-11-27T14:32:05.123Z");
    assertThat(text(err))
        .contains("a point each PT5S for PT1H; back to 2026-11-27T13:00:00Z; it keeps 1.0 GiB");
    out.reset();
    assertThat(run("volume", "timeline", DISK, "-o", "name")).isZero();
    assertThat(text(out).strip()).isEqualTo("2026-11-27T14:32:05.123Z");
  }

  @Test
  void whatIsTypedAsAMomentIsSentInUtc() throws Exception {
    String query =
        "from=2026-11-27T12:00:00Z&to=%s&order=oldest&limit=1000"
            .formatted(
                LocalDateTime.parse("2026-11-27T15:00").atZone(ZoneId.systemDefault()).toInstant());
    server.when(TIMELINE + query.replace(":", "%3A"), 200, PART).when(TIMELINE + query, 200, PART);

    int status =
        run(
            "volume",
            "timeline",
            DISK,
            "--from",
            "2026-11-27T14:00:00+02:00",
            "--to",
            "2026-11-27 15:00",
            "--order",
            "oldest",
            "--limit",
            "1000",
            "-o",
            "json");

    assertThat(status).as(text(err)).isZero();
  }

  @Test
  void aRevertTellsThePointAndHowItIsTakenBack() throws Exception {
    server.when("POST /volumes/" + DISK + "/revert", 202, JOB);

    assertThat(run("volume", "revert", DISK, "--moment", "2026-11-27T14:32:05Z"))
        .as(text(err))
        .isZero();

    assertThat(server.asked.getLast().body()).isEqualTo("{\"moment\":\"2026-11-27T14:32:05Z\"}");
    assertThat(text(err))
        .contains(
            "it holds what was there at 2026-11-27T14:32:04.500Z",
            "a revert with --moment=2026-11-27T14:40:00.007Z takes that back");
  }

  @Test
  void aCloneWithAMomentIsAnotherCall() throws Exception {
    server.when("POST /volumes/" + DISK + "/clone", 202, JOB);

    assertThat(run("volume", "clone", DISK, "then", "--moment", "2026-11-27T14:32:05Z"))
        .as(text(err))
        .isZero();
    assertThat(run("volume", "clone", DISK, "then", "--moment", "14:32", "--size", "20GiB"))
        .isEqualTo(2);

    assertThat(server.asked).hasSize(1);
    assertThat(server.asked.getFirst().body()).contains("\"moment\":", "\"name\":\"then\"");
    assertThat(text(err)).contains("expected --moment without --size, got both");
  }

  @Test
  void aMachineIsRevertedToAMomentOrToASnapshot() throws Exception {
    server.when("POST /vms/" + DISK + "/revert", 202, JOB);

    assertThat(run("vm", "revert", DISK, "--snapshot", DISK)).as(text(err)).isZero();
    assertThat(run("vm", "revert", DISK, "--moment", "14:32", "--snapshot", DISK)).isEqualTo(2);
    assertThat(run("vm", "revert", DISK)).isEqualTo(2);

    assertThat(server.asked).hasSize(1);
    assertThat(server.asked.getFirst().body()).isEqualTo("{\"snapshot\":\"%s\"}".formatted(DISK));
    assertThat(text(err))
        .contains(
            "expected --moment or --snapshot, got both",
            "expected --moment or --snapshot, got neither");
  }

  @Test
  void whatIsNoMomentIsRefused() throws Exception {
    assertThat(run("vm", "revert", DISK, "--moment", "noon")).isEqualTo(2);
    assertThat(run("vm", "revert", DISK)).isEqualTo(2);

    assertThat(text(err)).contains("expected --moment as a moment such as 14:32:05", "'noon'");
    assertThat(server.asked).isEmpty();
  }
}
