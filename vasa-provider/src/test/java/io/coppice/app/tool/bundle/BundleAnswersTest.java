package io.coppice.app.tool.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Parts of a bundle that come from the answers of a running provider.
class BundleAnswersTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String FIRST = "/api/v1/traffic?limit=1000";

  private final Map<String, String> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  private String answer(String path) throws IOException {
    asked.add(path);
    String known = answers.get(path);
    if (known == null) {
      throw new IOException("the provider answered 404");
    }
    return known;
  }

  private static String traffic(String volume, long read, long written) {
    return """
    {"vvol": "%s", "name": "disk of %s", "read": {"bytes": %d}, "write": {"bytes": %d}}
    """
        .formatted(volume, volume, read, written);
  }

  private static String history(String volume) {
    return "/api/v1/vvols/%s/history?window=24h&step=10m".formatted(volume);
  }

  private static List<JsonNode> parsed(String lines) {
    return lines.lines().map(line -> JSON.readTree(line)).toList();
  }

  @Test
  void theBusiestVolumesHaveTheirHistoriesOfAllPartsOfTheList() throws IOException {
    answers.put(
        FIRST,
        "{\"items\": [%s, %s, %s], \"next\": \"more\"}"
            .formatted(traffic("a", 1, 2), traffic("idle", 0, 0), traffic("b", 50, 0)));
    answers.put(FIRST + "&cursor=more", "{\"items\": [%s]}".formatted(traffic("c", 0, 900)));
    answers.put(history("c"), "{\"points\": [1]}");
    answers.put(history("b"), "{\"points\": [2]}");

    List<JsonNode> lines = parsed(new VolumeHistories(this::answer, 2).lines());

    assertThat(lines.getFirst().at("/volumesWithTraffic").asInt()).isEqualTo(3);
    assertThat(lines.getFirst().at("/shown").asInt()).isEqualTo(2);
    assertThat(lines.subList(1, 3))
        .extracting(line -> line.at("/volume").asString())
        .containsExactly("c", "b");
    assertThat(lines.get(1).at("/history/points/0").asInt()).isOne();
    assertThat(asked).as("no more than is shown").hasSize(4);
  }

  @Test
  void oneHistoryThatCannotBeHadTakesNoOtherAway() throws IOException {
    answers.put(FIRST, "{\"items\": [%s, %s]}".formatted(traffic("a", 9, 0), traffic("b", 5, 0)));
    answers.put(history("b"), "{}");

    List<JsonNode> lines = parsed(new VolumeHistories(this::answer, 10).lines());

    assertThat(lines.get(1).at("/leftOut").asString()).isEqualTo("the provider answered 404");
    assertThat(lines.get(2).at("/volume").asString()).isEqualTo("b");
  }

  @Test
  void aListWithoutAnEndIsNotFollowedForGood() throws IOException {
    Answers endless =
        path -> {
          asked.add(path);
          return "{\"items\": [], \"next\": \"again\"}";
        };

    assertThat(parsed(new VolumeHistories(endless, 10).lines())).hasSize(1);
    assertThat(asked).hasSize(20);
  }

  @Test
  void whatIsNoJsonIsSaid() {
    answers.put(FIRST, "{\"items\": [");
    answers.put("/api/v1/scrub", "<html>");

    assertThatThrownBy(() -> new VolumeHistories(this::answer, 10).lines())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the provider's answer is no JSON");
    assertThatThrownBy(() -> RunningCheck.lines(this::answer))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the provider's answer is no JSON");
  }

  @Test
  void anOpenPoolHasWhatItsScrubberKnows() throws IOException {
    answers.put(
        "/api/v1/scrub",
        """
        {"running": false, "paused": false, "lastStarted": "2026-11-20T10:00:00Z",
         "lastEnded": "2026-11-20T11:00:00Z", "percentDone": 100, "bytesVerified": 4096,
         "badBlocks": 1, "findings": [{"volume": "a", "lba": 8, "replaced": false,
           "sentence": "LBA 8 of volume a is damaged", "found": "2026-11-20T10:30:00Z"}]}
        """);

    assertThat(RunningCheck.lines(this::answer))
        .startsWith("The pool is open, so the checker did not read it.")
        .contains(
            "The last pass began at 2026-11-20T10:00:00Z and ended at 2026-11-20T11:00:00Z: 4096",
            "Known damage now: 1 blocks, 1 findings:",
            "  2026-11-20T10:30:00Z LBA 8 of volume a is damaged")
        .doesNotContain("replaced");
  }

  @Test
  void aPassUnderWayAndOneThatNeverBeganAreToldApart() throws IOException {
    answers.put(
        "/api/v1/scrub",
        """
        {"running": true, "paused": true, "lastStarted": "2026-11-20T10:00:00Z",
         "lastEnded": null, "percentDone": 40, "bytesVerified": 7, "badBlocks": 0, "findings": []}
        """);
    assertThat(RunningCheck.lines(this::answer))
        .contains(
            "A pass is under way since 2026-11-20T10:00:00Z: 40 % done, 7 bytes verified, paused.",
            "No pass has come to its end yet.", "Known damage now: 0 blocks, 0 findings.");

    answers.put("/api/v1/scrub", "{\"running\": false, \"lastStarted\": null, \"findings\": []}");
    assertThat(RunningCheck.lines(this::answer)).contains("nothing was verified");
  }
}
