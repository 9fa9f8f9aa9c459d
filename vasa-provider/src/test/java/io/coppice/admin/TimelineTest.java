package io.coppice.admin;

import static io.coppice.admin.AdminServer.texts;
import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestJournals;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Timelines as REST shows them, and reverts and clones by moment.
class TimelineTest {

  private static final Instant FIRST = Instant.EPOCH;

  private static AdminServer server;
  private static StorageContainer container;
  private static int machines;

  private final String machine = "vm-" + ++machines;
  private final List<VolumeId> disks = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.control.container("timed");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void machine() {
    for (VolumeType type : List.of(VolumeType.CONFIG, VolumeType.DATA, VolumeType.DATA)) {
      server.control.clock.advance(Duration.ofMillis(10));
      disks.add(vvol(type));
    }
    vvol(VolumeType.SWAP);
  }

  private VolumeId vvol(VolumeType type) {
    return ControlPlane.made(
        server.control.volumes.create(
            new NewVolume(
                container.id(),
                type,
                VolumeOrigin.HOST,
                null,
                ControlPlane.MIB,
                Map.of("VMW_VmID", machine, "VMW_VVolName", "disk"))));
  }

  private void keep() {
    for (VolumeId disk : disks) {
      TestJournals.keep(server.control, disk);
      server.control.clock.advance(Duration.ofMillis(7));
    }
  }

  private Instant cut() {
    return TestJournals.cut(server.control, disks.toArray(VolumeId[]::new));
  }

  private void write(int disk, int value) {
    server.control.write(disks.get(disk), 0, 4096, value);
  }

  private List<Integer> content() {
    return disks.stream().map(disk -> server.control.read(disk, 0)).toList();
  }

  private static List<Instant> points(VolumeId disk) {
    return server.control.engine.journals().points(disk, FIRST, 10_000);
  }

  private static List<Instant> walk(String list) {
    List<Instant> moments = new ArrayList<>();
    String page = list;
    while (!page.isEmpty()) {
      Answer part = server.get(page);
      assertThat(part.status()).as(page + part).isEqualTo(200);
      texts(part, "/moment").forEach(moment -> moments.add(Instant.parse(moment)));
      String next = part.json().get("next").asString("");
      page = next.isEmpty() ? "" : list + "&cursor=" + next;
    }
    return moments;
  }

  private static String toMoment(Instant moment) {
    return "{\"moment\": \"%s\"}".formatted(moment);
  }

  private static String named(Instant moment, String name) {
    return "{\"moment\": \"%s\", \"name\": \"%s\"}".formatted(moment, name);
  }

  /// Each disk is cut at other times, and all together.
  private List<Instant> someMoments() {
    keep();
    for (int i = 0; i < 9; i++) {
      if (i % 3 == 0) {
        cut();
      } else {
        TestJournals.cut(server.control, disks.get(i % disks.size()));
      }
    }
    Instant from =
        disks.stream().map(disk -> points(disk).getFirst()).max(Instant::compareTo).orElseThrow();
    Set<Instant> all = new TreeSet<>();
    disks.forEach(disk -> all.addAll(points(disk)));
    all.removeIf(moment -> moment.isBefore(from));
    return List.copyOf(all);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void pagesGoThroughAllMomentsOfAMachineInBothDirections(int limit) {
    List<Instant> all = someMoments();
    assertThat(all).hasSize(10);
    String list = "vms/%s/timeline?limit=%d".formatted(machine, limit);

    assertThat(walk(list + "&order=oldest")).isEqualTo(all);
    assertThat(walk(list)).isEqualTo(all.reversed());
    String inner = "&from=%s&to=%s".formatted(all.get(2), all.get(7));
    assertThat(walk(list + inner)).isEqualTo(all.subList(2, 8).reversed());
    assertThat(walk(list + inner + "&order=oldest")).isEqualTo(all.subList(2, 8));
    String between =
        "&from=%s&to=%s".formatted(all.get(2).plusMillis(1), all.get(7).minusMillis(1));
    assertThat(walk(list + between)).isEqualTo(all.subList(3, 7).reversed());
    assertThat(walk(list + "&from=" + all.getLast().plusMillis(1))).isEmpty();
  }

  @Test
  void aTimelineTellsOfItsTiersAndOfDisksWithoutOne() {
    List<Instant> all = someMoments();
    Answer whole = server.get("vms/%s/timeline".formatted(machine));
    assertThat(whole.text("/tiers/0/every")).isEqualTo("PT5S");
    assertThat(whole.text("/tiers/0/keepFor")).isEqualTo("PT1H");
    assertThat(whole.text("/tiers/1/every")).isEqualTo("PT1M");
    assertThat(whole.text("/oldest")).isEqualTo(all.getFirst().toString());
    assertThat(whole.text("/newest")).isEqualTo(all.getLast().toString());
    assertThat(whole.number("/points")).isPositive();
    assertThat(whole.json().get("without").isEmpty()).isTrue();

    VolumeId added = vvol(VolumeType.DATA);
    Answer part = server.get("vms/%s/timeline".formatted(machine));
    assertThat(part.text("/without/0")).isEqualTo(added.toString());
    assertThat(part.json().get("items")).hasSize(all.size());
    Answer none = server.get("volumes/%s/timeline".formatted(added));
    assertThat(none.status()).isEqualTo(200);
    assertThat(none.json().get("tiers").isEmpty()).isTrue();
    assertThat(none.json().get("items").isEmpty()).isTrue();
    assertThat(none.json().get("oldest").isNull()).isTrue();
    assertThat(none.json().get("next").isNull()).isTrue();
  }

  @Test
  void aVolumeIsRevertedAndThatIsUndone() {
    keep();
    write(1, 1);
    Instant moment = cut();
    write(1, 2);
    server.control.clock.advance(Duration.ofSeconds(1));
    String path = "volumes/%s/revert?wait=10s".formatted(disks.get(1));

    Answer back = server.post(path, toMoment(moment.plusMillis(3)));

    assertThat(back.status()).as(back.toString()).isEqualTo(200);
    assertThat(back.text("/state")).isEqualTo("success");
    assertThat(back.text("/result/id")).isEqualTo(disks.get(1).toString());
    assertThat(back.text("/result/point")).isEqualTo(moment.toString());
    assertThat(content()).containsExactly(0, 1, 0);
    assertThat(server.get("jobs/" + back.text("/id")).text("/result/undo"))
        .isEqualTo(back.text("/result/undo"));
    Answer undone = server.post(path, toMoment(Instant.parse(back.text("/result/undo"))));
    assertThat(undone.status()).as(undone.toString()).isEqualTo(200);
    assertThat(content()).containsExactly(0, 2, 0);
    Answer event = server.get("events?limit=1&object=" + disks.get(1));
    assertThat(event.text("/items/0/sentence")).contains("was reverted to what it held at");
  }

  @Test
  void aMachineIsRevertedAndThatIsUndone() {
    keep();
    write(0, 1);
    write(2, 3);
    Instant moment = cut();
    write(0, 4);
    write(1, 5);
    String path = "vms/%s/revert?wait=10s".formatted(machine);

    Answer back = server.post(path, toMoment(moment));
    assertThat(back.status()).as(back.toString()).isEqualTo(200);
    assertThat(content()).containsExactly(1, 0, 3);

    server.post(path, toMoment(Instant.parse(back.text("/result/undo"))));
    assertThat(content()).containsExactly(4, 5, 3);
  }

  @Test
  void aMomentHasAnOffset() {
    keep();
    write(0, 1);
    Instant moment = cut();
    write(0, 2);
    String local = moment.atOffset(java.time.ZoneOffset.ofHours(2)).toString();

    Answer back =
        server.post(
            "volumes/%s/revert?wait=10s".formatted(disks.getFirst()),
            "{\"moment\": \"%s\"}".formatted(local));

    assertThat(back.text("/result/point")).as(local).isEqualTo(moment.toString());
    assertThat(
            walk(
                "volumes/%s/timeline?from=%s&limit=9"
                    .formatted(disks.getFirst(), local.replace("+", "%2B"))))
        .contains(moment);
  }

  @Test
  void aVolumeIsClonedAsOfAMoment() {
    keep();
    write(1, 1);
    Instant moment = cut();
    write(1, 2);
    String path = "volumes/%s/clone?wait=10s".formatted(disks.get(1));
    String body =
        named(moment, machine + " then").replace("}", ", \"labels\": {\"app\": \"shop\"}}");

    Answer made = server.post(path, body);

    assertThat(made.status()).as(made.toString()).isEqualTo(200);
    assertThat(made.text("/result/point")).isEqualTo(moment.toString());
    Answer shown = server.get("volumes/" + made.text("/result/id"));
    assertThat(shown.text("/name")).isEqualTo(machine + " then");
    assertThat(shown.text("/labels/app")).isEqualTo("shop");
    assertThat(server.control.read(new VolumeId(UUID.fromString(made.text("/result/id"))), 0))
        .isEqualTo(1);
    assertThat(content()).containsExactly(0, 2, 0);
    assertProblem(server.post(path, body), 409, "name-taken");
  }

  @Test
  void theDisksOfAMachineAreClonedAsPlainVolumes() {
    keep();
    write(0, 1);
    write(1, 2);
    Instant moment = cut();
    write(1, 9);
    cut();

    Answer made = server.post("vms/%s/clone".formatted(machine), named(moment, machine));

    assertThat(made.status()).as(made.toString()).isEqualTo(200);
    assertThat(made.text("/point")).isEqualTo(moment.toString());
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String id = made.text("/volumes/%d/id".formatted(i));
      values.add(server.control.read(new VolumeId(UUID.fromString(id)), 0));
      assertThat(made.text("/volumes/%d/of".formatted(i))).isEqualTo(disks.get(i).toString());
      assertThat(server.get("volumes/" + id).text("/name")).isEqualTo(machine + "-" + (i + 1));
    }
    assertThat(values).containsExactly(1, 2, 0);
    int before = server.control.engine.list().size();
    server.delete("volumes/" + made.text("/volumes/0/id"));
    assertProblem(
        server.post("vms/%s/clone".formatted(machine), named(moment, machine)), 409, "name-taken");
    assertThat(server.control.engine.list()).hasSize(before - 1);
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    String disk = disks.getFirst().toString();
    Instant now = server.control.clock.instant();
    Stream.of("volumes/" + disk, "vms/" + machine)
        .forEach(
            path -> {
              Answer none = server.post(path + "/revert", toMoment(now));
              assertProblem(none, 409, "not-supported");
              assertThat(none.text("/detail")).contains("has no timeline: no protection policy");
              assertProblem(server.post(path + "/clone", named(now, "none")), 409, "not-supported");
            });
    keep();
    String snapshot = server.control.snapshot(disks.getFirst()).toString();
    for (String path : List.of("volumes/" + disk, "vms/" + machine)) {
      Answer early = server.post(path + "/revert", toMoment(FIRST.plusSeconds(1)));
      assertProblem(early, 404, "not-found");
      assertThat(early.text("/target")).isEqualTo("moment");
      assertThat(early.text("/detail")).contains("expected a moment from 20");
      Answer late = server.post(path + "/revert", toMoment(now.plusSeconds(3600)));
      assertProblem(late, 400, "invalid-argument");
      assertThat(late.text("/target")).isEqualTo("moment");
      assertProblem(
          server.post(path + "/revert", "{\"moment\": \"then\"}"), 400, "invalid-argument");
      assertProblem(server.post(path + "/clone", "{\"name\": \"x\"}"), 400, "invalid-argument");
    }
    assertProblem(server.get("volumes/%s/timeline".formatted(snapshot)), 404, "not-found");
    assertProblem(
        server.post("volumes/%s/revert".formatted(snapshot), toMoment(now)), 409, "not-supported");
    String unknown = VolumeId.random().toString();
    assertProblem(server.get("volumes/%s/timeline".formatted(unknown)), 404, "not-found");
    assertProblem(server.get("vms/%s/timeline".formatted(unknown)), 404, "not-found");
    assertProblem(server.post("vms/%s/revert".formatted(unknown), toMoment(now)), 404, "not-found");
    assertProblem(
        server.post("volumes/%s/revert?wait=ever".formatted(disk), toMoment(now)),
        400,
        "invalid-argument");
  }

  @ParameterizedTest
  @CsvSource({
    "from=yesterday, from",
    "to=12, to",
    "from=2026-11-21T12:00:01Z&to=2026-11-21T12:00:00Z, from",
    "from=1969-12-31T23:59:59Z, from",
    "to=%2B10000-01-01T00:00:00Z, to",
    "order=first, order",
    "limit=0, limit",
    "limit=1001, limit",
    "cursor=abc, cursor",
    "cursor=b2xkZXN0IDE, cursor",
    "order=oldest&cursor=bmV3ZXN0IDE, cursor",
    "cursor=bmV3ZXN0IDk5OTk5OTk5OTk5OTk5OTk5, cursor"
  })
  void aQueryThatCannotBeIsRefused(String query, String target) {
    Answer refused = server.get("volumes/%s/timeline?%s".formatted(disks.getFirst(), query));

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo(target);
    assertThat(refused.text("/detail")).startsWith("expected ");
  }
}
