package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.vasa.testing.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Volumes that administrators make: found, grown, renamed, and given to one initiator at a time.
class PlainVolumesTest {

  private static final String ONE = "iqn.2026-11.test:one";
  private static final String TWO = "iqn.2026-11.test:two";

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theListHasTheVolumesOfAdministratorsOnly() {
    String container = server.container("listed");
    var row = server.control.containers.require(UUID.fromString(container));
    server.control.volume(row, ControlPlane.GIB);
    String first = server.volume(container, "first");
    String second = server.volume(container, "second");

    Answer all = server.get("volumes?total=true&container=" + container);
    Answer part = server.get("volumes?limit=1&container=" + container);

    List<String> ids = AdminServer.texts(all, "/id");
    assertThat(ids).containsExactlyInAnyOrder(first, second);
    assertThat(all.number("/total")).isEqualTo(2);
    assertThat(AdminServer.texts(part, "/id")).containsExactly(ids.getFirst());
    assertThat(
            AdminServer.texts(
                server.get(
                    "volumes?limit=1&container=%s&cursor=%s"
                        .formatted(container, part.text("/next"))),
                "/id"))
        .containsExactly(ids.getLast());
    assertThat(server.get("volumes/" + first).text("/name")).isEqualTo("first");
  }

  @Test
  void volumesAndSnapshotsAreFoundByName() {
    String here = server.container("found");
    String there = server.container("found elsewhere");
    String wanted = server.volume(here, "K\u00f6ln 東京");
    String other = server.volume(there, "K\u00f6ln 東京");
    server.volume(here, "K\u00f6ln");
    String name = "name=K%C3%B6ln%20%E6%9D%B1%E4%BA%AC";
    server.post("vvols/" + wanted + "/snapshots?wait=10s", "{\"name\": \"before\"}");
    server.post("vvols/" + wanted + "/snapshots?wait=10s", "{\"name\": \"after\"}");

    assertThat(AdminServer.texts(server.get("volumes?" + name), "/id"))
        .containsExactlyInAnyOrder(wanted, other);
    assertThat(AdminServer.texts(server.get("volumes?" + name + "&container=" + there), "/id"))
        .containsExactly(other);
    assertThat(AdminServer.texts(server.get("vvols?" + name + "&container=" + here), "/id"))
        .containsExactly(wanted);
    assertThat(AdminServer.texts(server.get("snapshots?name=after&vvol=" + wanted), "/name"))
        .containsExactly("after");
    assertThat(AdminServer.texts(server.get("volumes?name=nobody"), "/id")).isEmpty();
  }

  @Test
  void aNameIsUniqueInItsContainer() {
    String container = server.container("unique");
    String first = server.volume(container, "disk");
    String second = server.volume(container, "other");

    Answer refused =
        server.post(
            "volumes",
            "{\"name\": \"disk\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(ControlPlane.GIB, container));

    assertProblem(refused, 409, "name-taken");
    assertThat(refused.text("/detail")).contains("disk", first, container);
    assertProblem(server.patch("volumes/" + second, "{\"name\": \"disk\"}"), 409, "name-taken");
    assertThat(server.patch("volumes/" + first, "{\"name\": \"disk\"}").status()).isEqualTo(200);
    assertThat(server.volume(server.container("unique too"), "disk")).isNotEmpty();
    server.delete("volumes/" + first);
    assertThat(server.patch("volumes/" + second, "{\"name\": \"disk\"}").text("/name"))
        .isEqualTo("disk");
  }

  @Test
  void aCloneTakesNoNameThatIsTaken() {
    String container = server.container("cloned");
    String source = server.volume(container, "source");
    String snapshot =
        server
            .post("vvols/" + source + "/snapshots?wait=10s", "{\"name\": \"now\"}")
            .text("/result/id");

    Answer made = server.post("snapshots/" + snapshot + "/clone?wait=10s", "{\"name\": \"copy\"}");

    assertThat(made.text("/state")).as(made.toString()).isEqualTo("success");
    assertThat(AdminServer.texts(server.get("volumes?container=" + container), "/name"))
        .containsExactlyInAnyOrder("source", "copy");
    assertProblem(
        server.post("snapshots/" + snapshot + "/clone?wait=10s", "{\"name\": \"copy\"}"),
        409,
        "name-taken");
  }

  @Test
  void ofManyThatTakeANameAtOnceOneGetsIt() throws Exception {
    String container = server.container("raced");
    String body =
        "{\"name\": \"race\", \"size\": %d, \"container\": \"%s\"}"
            .formatted(ControlPlane.GIB, container);
    List<Integer> answers = new ArrayList<>();
    try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
      List<Future<Answer>> all = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        all.add(clients.submit(() -> server.post("volumes", body)));
      }
      for (Future<Answer> each : all) {
        answers.add(each.get().status());
      }
    }

    assertThat(answers).containsOnly(201, 409);
    assertThat(answers).containsOnlyOnce(201);
    assertThat(AdminServer.texts(server.get("volumes?name=race"), "/id")).hasSize(1);
  }

  @Test
  void aVolumeGrowsWhileItIsExported() {
    String volume = server.volume(server.container("grown"), "small");
    export(volume, ONE);

    Answer grown = server.patch("volumes/" + volume, body("size", 3 * ControlPlane.GIB));

    assertThat(grown.status()).as(grown.toString()).isEqualTo(200);
    assertThat(grown.number("/size")).isEqualTo(3 * ControlPlane.GIB);
    assertThat(grown.text("/name")).isEqualTo("small");
    assertThat(server.control.engine.find(VolumeId.parse(volume)).orElseThrow().sizeInBytes())
        .isEqualTo(3 * ControlPlane.GIB);
  }

  @Test
  void aVolumeHasAnyMultipleOf4KiB() {
    String container = server.container("firmware");
    String volume = AdminServer.made(server.post("volumes", sized(container, "vars", 528 << 10)));
    export(volume, ONE);

    assertThat(server.get("volumes/" + volume).number("/size")).isEqualTo(528 << 10);
    assertThat(sizeInPool(volume)).isEqualTo(528 << 10);
    for (long size : new long[] {1 << 20, (1 << 20) + 4096}) {
      assertThat(server.patch("volumes/" + volume, body("size", size)).number("/size"))
          .isEqualTo(size);
      assertThat(sizeInPool(volume)).isEqualTo(size);
    }
    String snapshot =
        server
            .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"now\"}")
            .text("/result/id");
    String clone =
        server
            .post("snapshots/" + snapshot + "/clone?wait=10s", "{\"name\": \"copy\"}")
            .text("/result/id");
    assertThat(server.get("snapshots/" + snapshot).number("/size")).isEqualTo((1 << 20) + 4096);
    assertThat(server.get("volumes/" + clone).number("/size")).isEqualTo((1 << 20) + 4096);
    assertThat(server.patch("volumes/" + clone, body("size", (1 << 20) + 8192)).number("/size"))
        .isEqualTo((1 << 20) + 8192);
    assertThat(server.post("volumes", sized(container, "least", 4096)).status()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource({"0", "-4096", "1", "4095", "541184", "1048577", "70368744181760"})
  void aSizeThatIsNoMultipleOf4KiBIsRefused(long size) {
    String container = server.container(UUID.randomUUID().toString());

    Answer refused = server.post("volumes", sized(container, "odd", size));

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("size");
    assertThat(refused.text("/detail"))
        .isEqualTo(
            "expected a size of 4096 to 70368744177664 bytes that is a multiple of 4096, got "
                + size);
    assertThat(AdminServer.texts(server.get("volumes?container=" + container), "/id")).isEmpty();
  }

  @Test
  void aQuotaCountsSmallVolumesToTheByte() {
    String container =
        AdminServer.made(server.post("containers", "{\"name\": \"narrow\", \"quota\": 1048576}"));
    String volume = AdminServer.made(server.post("volumes", sized(container, "vars", 528 << 10)));

    assertProblem(
        server.patch("volumes/" + volume, body("size", (1 << 20) + 4096)), 507, "out-of-space");
    assertThat(server.patch("volumes/" + volume, body("size", 1 << 20)).status()).isEqualTo(200);
  }

  private static String sized(String container, String name, long size) {
    return "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
        .formatted(name, size, container);
  }

  private static long sizeInPool(String volume) {
    return server.control.engine.find(VolumeId.parse(volume)).orElseThrow().sizeInBytes();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": \"new\", \"size\": 1048576} | size",
        "{\"name\": \"new\", \"size\": 1073741825} | size",
        "{\"name\": \"new\", \"size\": -1} | size",
        "{\"name\": \" \", \"size\": 2147483648} | name",
        "{\"name\": \"new\", \"size\": 2147483648, \"owner\": 1} | owner",
      })
  void aChangeThatIsRefusedChangesNothing(String body, String target) {
    String volume = server.volume(server.container(UUID.randomUUID().toString()), "old");

    Answer refused = server.patch("volumes/" + volume, body);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.text("/target")).isEqualTo(target);
    Answer now = server.get("volumes/" + volume);
    assertThat(now.text("/name")).isEqualTo("old");
    assertThat(now.number("/size")).isEqualTo(ControlPlane.GIB);
  }

  @Test
  void aDiskOfAVirtualMachineIsNoPlainVolume() {
    String container = server.container("machine's");
    var row = server.control.containers.require(UUID.fromString(container));
    VolumeId disk = server.control.volume(row, ControlPlane.GIB);

    assertProblem(server.get("volumes/" + disk), 409, "not-plain");
    assertProblem(server.patch("volumes/" + disk, "{\"name\": \"mine\"}"), 409, "not-plain");
    assertProblem(server.get("volumes/" + UUID.randomUUID()), 404, "not-found");
  }

  @Test
  void initiatorsComeAndGoOneAtATime() {
    String volume = server.volume(server.container("fenced"), "fenced");
    Answer made = export(volume, ONE);
    String path = "exports/%s/initiators/".formatted(volume);

    for (int i = 0; i < 2; i++) {
      Answer added = server.put(path + TWO, "");
      assertThat(added.status()).as(added.toString()).isEqualTo(200);
      assertThat(added.json().get("initiators").valueStream().map(it -> it.asString()))
          .containsExactly(ONE, TWO);
    }
    for (int i = 0; i < 2; i++) {
      Answer removed = server.delete(path + ONE);
      assertThat(removed.status()).as(removed.toString()).isEqualTo(200);
      assertThat(removed.text("/initiators/0")).isEqualTo(TWO);
      assertThat(removed.number("/lun")).isEqualTo(made.number("/lun"));
    }
    Answer last = server.delete(path + TWO);
    assertThat(last.json().get("initiators").isEmpty()).isTrue();
    assertThat(server.get("exports/" + volume).text("/naa")).isEqualTo(made.text("/naa"));
  }

  @Test
  void initiatorsOfNoExportAndBadNamesAreRefused() {
    String container = server.container("unfenced");
    String idle = server.volume(container, "idle");
    String exported = server.volume(container, "exported");
    export(exported, ONE);

    assertProblem(server.put("exports/" + idle + "/initiators/" + ONE, ""), 404, "not-found");
    assertProblem(server.delete("exports/" + idle + "/initiators/" + ONE), 404, "not-found");
    Answer bad = server.put("exports/" + exported + "/initiators/host-7", "");
    assertProblem(bad, 400, "invalid-argument");
    assertThat(bad.text("/target")).isEqualTo("iqn");
    assertProblem(
        server.callAs(
            server.token("operator"), "DELETE", "exports/" + exported + "/initiators/" + ONE, null),
        403,
        "forbidden");
  }

  @Test
  void anInitiatorWithAStaleDiskIsNotAdded() {
    String initiator = "iqn.2026-11.test:stale";
    String container = server.container("stale");
    String old = server.volume(container, "old");
    String next = server.volume(container, "next");
    int lun = (int) export(old, initiator).number("/lun");
    server
        .control
        .target
        .plain()
        .attach(
            new InitiatorPort(initiator, 0x23d000002L),
            new SessionOrigin("10.0.0.1:3260", "10.0.0.9:40001"));
    server.delete("exports/" + old);
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:fresh\"], \"lun\": %d}"
            .formatted(next, lun));

    Answer refused = server.put("exports/" + next + "/initiators/" + initiator, "");

    assertProblem(refused, 409, "number-rests");
    assertThat(refused.text("/detail")).contains(old, initiator);
  }

  @Test
  void aGroupHasASnapshotOfEachVolume() {
    String container = server.container("grouped");
    var row = server.control.containers.require(UUID.fromString(container));
    VolumeId disk = server.control.volume(row, ControlPlane.GIB);
    String plain = server.volume(container, "plain");

    Answer job =
        server.post("snapshot-groups?wait=10s", group("nightly", "\"%s\", \"%s\"", disk, plain));

    assertThat(job.text("/state")).as(job.toString()).isEqualTo("success");
    Answer taken = server.get("snapshots?group=" + job.text("/result/group"));
    assertThat(AdminServer.texts(taken, "/vvol")).containsExactlyInAnyOrder("" + disk, plain);
    assertThat(AdminServer.texts(taken, "/name")).containsOnly("nightly");
  }

  @Test
  void aGroupThatCannotBeTakenIsRefusedWhole() {
    String container = server.container("ungrouped");
    String volume = server.volume(container, "volume");
    String snapshot =
        server
            .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"first\"}")
            .text("/result/id");

    for (String members :
        List.of(
            "",
            "null",
            "\"%s\", \"%s\"".formatted(volume, volume),
            "\"%s\", \"%s\"".formatted(volume, snapshot),
            "\"%s\"".formatted(volume) + (", \"" + UUID.randomUUID() + "\"").repeat(256))) {
      Answer refused = server.post("snapshot-groups", group("bad", members));
      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/target")).isEqualTo("volumes");
    }
    assertProblem(
        server.post("snapshot-groups", group("bad", "\"%s\", \"%s\"", volume, UUID.randomUUID())),
        404,
        "not-found");
    assertThat(AdminServer.texts(server.get("snapshots?vvol=" + volume), "/name"))
        .containsExactly("first");
  }

  @Test
  void anExportedVolumeIsRevertedWhileNobodyHasASession() {
    String volume = server.volume(server.container("reverted"), "disk");
    server.control.write(VolumeId.parse(volume), 0, 4096, 1);
    String snapshot =
        server
            .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"before\"}")
            .text("/result/id");
    server.control.write(VolumeId.parse(volume), 0, 4096, 2);
    Answer before = export(volume, ONE);
    TargetDevice target = server.control.target.plain();
    Nexus session =
        target.attach(
            new InitiatorPort(ONE, 0x23d000009L),
            new SessionOrigin("10.0.0.1:3260", "10.0.0.9:40009"));

    Answer refused = server.post("snapshots/" + snapshot + "/revert?wait=10s", "{}");
    assertProblem(refused, 409, "in-use");
    assertThat(refused.text("/detail")).contains(ONE, "10.0.0.9:40009");
    assertThat(server.control.read(VolumeId.parse(volume), 0)).isEqualTo(2);
    target.detach(session, () -> {});

    Answer reverted = server.post("snapshots/" + snapshot + "/revert?wait=10s", "{}");
    assertThat(reverted.text("/state")).as(reverted.toString()).isEqualTo("success");
    assertThat(server.control.read(VolumeId.parse(volume), 0)).isEqualTo(1);
    assertThat(server.get("exports/" + volume).json()).isEqualTo(before.json());
  }

  private static String group(String name, String members, Object... ids) {
    return "{\"name\": \"%s\", \"volumes\": [%s]}".formatted(name, members.formatted(ids));
  }

  private static Answer export(String volume, String initiator) {
    Answer made =
        server.post(
            "exports", "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, initiator));
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    return made;
  }

  private static String body(String field, long value) {
    return "{\"%s\": %d}".formatted(field, value);
  }
}
