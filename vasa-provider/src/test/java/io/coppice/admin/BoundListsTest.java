package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a token of the role `volume-admin` is shown: lists, counts, events, refusals.
class BoundListsTest {

  private final TwoContainers two = new TwoContainers();
  private final AdminServer server = two.server;
  private final String own = two.own;
  private final String other = two.other;

  @AfterEach
  void close() {
    two.close();
  }

  @Test
  void listsShowAndCountWhatIsInTheContainersOfTheToken() {
    TwoContainers.Objects mine = two.mine();
    TwoContainers.Objects hidden = two.hidden();

    for (String list : List.of("volumes", "vvols")) {
      assertThat(AdminServer.texts(two.as("GET", list + "?total=true", null), "/id"))
          .containsExactlyInAnyOrder(mine.volume(), mine.exported());
      assertThat(two.as("GET", list + "?total=true", null).number("/total")).isEqualTo(2);
      assertThat(server.get(list + "?total=true").number("/total")).isEqualTo(4);
      assertThat(two.as("GET", list + "?total=true&container=" + other, null).number("/total"))
          .isZero();
    }
    assertThat(AdminServer.texts(two.as("GET", "snapshots?total=true", null), "/id"))
        .containsExactlyInAnyOrder(
            mine.snapshot(), mine.temporary().snapshot(), mine.protection().snapshot());
    assertThat(two.as("GET", "snapshots?total=true", null).number("/total")).isEqualTo(3);
    assertThat(two.as("GET", "snapshots?total=true&vvol=" + hidden.volume(), null).number("/total"))
        .isZero();
    assertThat(AdminServer.texts(two.as("GET", "exports?total=true", null), "/vvol"))
        .containsExactlyInAnyOrder(mine.exported(), mine.temporary().snapshot());
    assertThat(two.as("GET", "exports?total=true", null).number("/total")).isEqualTo(2);
    assertThat(AdminServer.texts(two.as("GET", "temporary-exports?total=true", null), "/id"))
        .containsExactly(mine.temporary().export());
    assertThat(two.as("GET", "temporary-exports?total=true", null).number("/total")).isEqualTo(1);
    assertThat(AdminServer.texts(two.as("GET", "containers?total=true", null), "/id"))
        .containsExactly(own);
    assertThat(two.as("GET", "containers?total=true", null).number("/total")).isEqualTo(1);
    assertThat(AdminServer.texts(two.as("GET", "jobs", null), "/id")).containsExactly(mine.job());
    assertThat(two.as("GET", "jobs?total=true", null).number("/total")).isEqualTo(1);
    assertThat(AdminServer.texts(two.as("GET", "policies", null), "/id"))
        .containsExactly(mine.policy());
    assertThat(AdminServer.texts(two.as("GET", "protection-groups", null), "/id"))
        .containsExactly(mine.protection().group());
    assertThat(AdminServer.texts(two.as("GET", "recovery-points", null), "/id"))
        .containsExactly(mine.protection().point());
    for (String list : List.of("volumes", "vvols", "snapshots", "exports", "containers", "jobs")) {
      String cursor = server.get(list + "?limit=1").text("/next");
      assertThat(two.as("GET", list + "?cursor=" + cursor, null).http().body())
          .as(list + " behind the cursor of another token")
          .doesNotContain(hidden.volume(), hidden.exported(), hidden.snapshot(), other);
    }
  }

  @Test
  void aPolicyTellsOfTheContainersOfTheTokenOnly() {
    String both =
        AdminServer.made(
            server.post(
                "policies",
                "{\"name\": \"both\", \"maxIops\": 500, \"containers\": [\"%s\", \"%s\"]}"
                    .formatted(own, other)));

    assertThat(two.as("GET", "policies/" + both, null).json().get("containers").valueStream())
        .extracting(id -> id.asString())
        .containsExactly(own);
    assertThat(server.get("policies/" + both).json().get("containers")).hasSize(2);
  }

  @Test
  void aHostCountsTheExportsOfTheContainersOfTheToken() {
    TwoContainers.Objects mine = two.mine();
    TwoContainers.Objects hidden = two.hidden();
    server.put("exports/" + mine.exported() + "/hosts/" + two.host, null);
    server.put("exports/" + hidden.exported() + "/hosts/" + two.host, null);

    assertThat(two.as("GET", "hosts/" + two.host, null).number("/exports")).isEqualTo(1);
    assertThat(server.get("hosts/" + two.host).number("/exports")).isEqualTo(2);
  }

  @Test
  void eventsAreAboutWhatIsInTheContainersOfTheToken() {
    TwoContainers.Objects mine = two.mine();
    TwoContainers.Objects hidden = two.hidden();
    two.as("DELETE", "snapshots/" + mine.snapshot(), null);

    Answer events = two.as("GET", "events?limit=1000", null);
    assertThat(AdminServer.texts(events, "/objectId"))
        .contains(own, mine.volume(), mine.snapshot(), mine.exported());
    assertThat(AdminServer.texts(events, "/objectType"))
        .containsOnly(
            "Volume",
            "Snapshot",
            "Export",
            "TemporaryExport",
            "StorageContainer",
            "CapabilityProfile");
    assertThat(events.http().body())
        .doesNotContain(
            other,
            hidden.volume(),
            hidden.snapshot(),
            hidden.exported(),
            hidden.temporary().export(),
            hidden.temporary().snapshot(),
            "Token");
    assertThat(two.as("GET", "events?object=" + hidden.volume(), null).json().get("items"))
        .isEmpty();
  }

  @Test
  void aNumberThatAnotherContainerUsesIsRefusedWithoutANameOfItsVolume() {
    String export = "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:both\"], \"lun\": 7}";
    String taking = server.volume(other, "taking");
    server.post("exports", export.formatted(taking));
    String mine = server.volume(own, "mine");

    Answer taken = two.as("POST", "exports", export.formatted(mine));
    server.delete("exports/" + taking);
    Answer resting = two.as("POST", "exports", export.formatted(mine));

    for (Answer refused : List.of(taken, resting)) {
      assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
      assertThat(refused.text("/code")).isEqualTo("in-use");
      assertThat(refused.text("/detail")).contains("in use").doesNotContain(taking, "naa", "rest");
    }
    String second = server.volume(own, "second");
    two.as("POST", "exports", export.formatted(second).replace(": 7", ": 8"));
    assertThat(
            two.as("POST", "exports", export.formatted(mine).replace(": 7", ": 8")).text("/detail"))
        .as("the token's own volumes are named")
        .contains(second);
    assertThat(
            two.as("POST", "exports", export.formatted(mine).replace("}", ", \"force\": true}"))
                .status())
        .isEqualTo(403);
  }

  @Test
  void hiddenSnapshotsAreNeitherComparedWithNorLookedInto() {
    TwoContainers.Objects mine = two.mine();
    TwoContainers.Objects hidden = two.hidden();

    String pair = "differences?of=%s&since=%s";
    assertThat(two.as("GET", pair.formatted(mine.volume(), mine.snapshot()), null).status())
        .isEqualTo(200);
    assertThat(two.as("GET", pair.formatted(mine.volume(), hidden.snapshot()), null).status())
        .isEqualTo(404);
    String ofPoint = "{\"point\": \"%s\", \"initiators\": [\"iqn.2026-11.test:all\"]}";
    assertThat(
            two.as("POST", "temporary-exports", ofPoint.formatted(hidden.protection().point()))
                .status())
        .isEqualTo(404);
    assertThat(AdminServer.texts(two.as("GET", "temporary-exports", null), "/id"))
        .contains(mine.temporary().export())
        .doesNotContain(hidden.temporary().export());
  }
}
