package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.testing.ControlPlane;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The forecasts of what deletions give back, over REST, beside what they then give back.
class FreedSetTest {

  private static final int MIB = 1 << 20;

  private final AdminServer server = new AdminServer();
  private final String container = server.container("freed");

  @AfterEach
  void stop() {
    server.close();
  }

  private long used() {
    return server.control.engine.space().used();
  }

  private VolumeId volume(String name) {
    return VolumeId.parse(server.volume(container, name));
  }

  private VolumeId manual(VolumeId volume, String name) {
    Answer job =
        server.post(
            "vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"%s\"}".formatted(name));
    assertThat(job.text("/state")).as(job.toString()).isEqualTo("success");
    return VolumeId.parse(job.text("/result/id"));
  }

  @Test
  void aSetGivesBackWhatWasSaidOfIt() {
    VolumeId disk = volume("disk");
    server.control.write(disk, 0, 4 * MIB, 1);
    VolumeId first = manual(disk, "first");
    VolumeId second = manual(disk, "second");
    server.control.write(disk, 0, 2 * MIB, 2);
    int volumes = server.control.engine.list().size();

    Answer pair = server.get("space/freed?ids=%s,%s,%s".formatted(first, second, first));
    Answer all = server.get("space/freed?ids=" + disk + "&snapshots=true");

    assertThat(pair.status()).as(pair.toString()).isEqualTo(200);
    assertThat(pair.number("/bytes")).isEqualTo(2 * MIB);
    assertThat(pair.text("/sentence"))
        .isEqualTo(
            "Deleting these 2 gives back 2.0 MiB, 2.0 MiB of it only because they go together.");
    assertThat(pair.json().at("/items")).hasSize(2);
    assertThat(pair.text("/items/0/kind")).isEqualTo("snapshot");
    assertThat(pair.text("/items/1/name")).isEqualTo("second");
    assertThat(pair.number("/items/0/alone")).isZero();
    assertThat(pair.number("/items/0/total")).isZero();
    assertThat(pair.number("/items/1/total")).isEqualTo(2 * MIB);
    assertThat(pair.json().at("/atLeast").asBoolean()).isFalse();
    assertThat(all.number("/bytes")).isEqualTo(6 * MIB);
    assertThat(AdminServer.texts(all, "/id"))
        .containsExactlyInAnyOrder(disk.toString(), first.toString(), second.toString());
    assertThat(all.text("/items/0/kind")).isEqualTo("volume");
    assertThat(server.control.engine.list()).as("nothing was deleted").hasSize(volumes);

    long before = used();
    server.delete("snapshots/" + first);
    server.delete("snapshots/" + second);
    assertThat(before - used()).isEqualTo(pair.number("/bytes"));
    server.delete("volumes/" + disk);
    assertThat(before - used()).isEqualTo(all.number("/bytes"));
  }

  @Test
  void aMemberSaysWhatStaysForOthersAndWhyItStaysItself() {
    VolumeId disk = volume("disk");
    server.control.write(disk, 0, 4 * MIB, 1);
    VolumeId snapshot = manual(disk, "shared");
    server.control.write(disk, 0, MIB, 2);
    Answer both = server.get("space/freed?ids=%s,%s".formatted(disk, snapshot));
    assertThat(both.number("/items/0/alone")).isEqualTo(MIB);
    assertThat(both.number("/items/0/shared")).isEqualTo(3 * MIB);
    assertThat(both.json().at("/items/0/stays").isNull()).isTrue();

    Answer lock = server.post("snapshots/" + snapshot + "/lock", "{\"lockFor\": \"P1D\"}");
    assertThat(lock.status()).as(lock.toString()).isEqualTo(200);
    Answer exported =
        server.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.example:a\"]}".formatted(disk));
    assertThat(exported.status()).as(exported.toString()).isEqualTo(201);

    Answer held = server.get("space/freed?ids=%s,%s".formatted(disk, snapshot));
    assertThat(held.text("/items/0/stays")).isEqualTo("It is exported: end the export first.");
    assertThat(held.text("/items/1/stays"))
        .isEqualTo("It is locked until %s.".formatted(lock.text("/lockedUntil")));
    assertThat(server.delete("snapshots/" + snapshot).status()).isEqualTo(409);
    assertThat(server.delete("volumes/" + disk).status()).isEqualTo(409);
  }

  @Test
  void aSetThatGivesNothingBackSaysWhy() {
    VolumeId disk = volume("disk");
    server.control.write(disk, 0, MIB, 1);
    VolumeId snapshot = manual(disk, "only");

    assertThat(server.get("space/freed?ids=" + snapshot).text("/sentence"))
        .isEqualTo("Deleting it gives back nothing: it holds no data of its own.");
  }

  @Test
  void aSetIsRefusedByWhatIsWrongWithIt() {
    VolumeId disk = volume("disk");
    UUID unknown = UUID.randomUUID();

    Answer absent = server.get("space/freed?ids=%s,%s".formatted(disk, unknown));
    assertProblem(absent, 404, "not-found");
    assertThat(absent.text("/detail")).contains(unknown.toString());
    Answer nothing = server.get("space/freed");
    assertProblem(nothing, 400, "invalid-argument");
    assertThat(nothing.text("/target")).isEqualTo("ids");
    assertThat(nothing.text("/detail")).isEqualTo("expected the parameter 'ids', got none");
    assertProblem(server.get("space/freed?ids=1-1-1-1-1"), 400, "invalid-argument");
    assertProblem(server.get("space/freed?ids=" + disk + ","), 400, "invalid-argument");
    Answer many =
        server.get(
            "space/freed?ids=" + String.join(",", Collections.nCopies(101, disk.toString())));
    assertProblem(many, 400, "invalid-argument");
    assertThat(many.text("/detail")).contains("at most 100 ids, got 101");
    assertProblem(server.get("space/reclaimable"), 400, "invalid-argument");
    assertProblem(server.get("space/reclaimable?bytes=0"), 400, "invalid-argument");
    assertProblem(
        server.get("space/reclaimable?bytes=9223372036854775808"), 400, "invalid-argument");
  }

  @Test
  void theOldestThatMayGoAreListedUntilItIsEnough() {
    VolumeId disk = volume("disk");
    VolumeId[] snapshots = new VolumeId[3];
    for (int i = 0; i < 3; i++) {
      server.control.write(disk, 0, MIB, i + 1);
      snapshots[i] = manual(disk, "s" + i);
    }
    server.control.write(disk, 0, MIB, 4);
    VolumeId ofVcenter = server.control.snapshot(disk);
    server.control.write(disk, 0, MIB, 5);
    List<String> byAge = AdminServer.texts(server.get("snapshots?kind=manual&sort=created"), "/id");
    assertThat(byAge).hasSize(3);

    Answer two = server.get("space/reclaimable?bytes=" + 2 * MIB);
    Answer all = server.get("space/reclaimable?bytes=" + 100L * MIB);
    Answer more = server.get("space/reclaimable?volumes=true&bytes=" + 100L * MIB);

    assertThat(two.status()).as(two.toString()).isEqualTo(200);
    assertThat(two.json().at("/enough").asBoolean()).isTrue();
    assertThat(AdminServer.texts(two, "/id")).isEqualTo(byAge.subList(0, 2));
    assertThat(two.number("/items/0/total")).isEqualTo(MIB);
    assertThat(two.number("/items/1/total")).isEqualTo(2 * MIB).isEqualTo(two.number("/bytes"));
    assertThat(two.text("/items/0/vvol")).isEqualTo(disk.toString());
    assertThat(two.text("/sentence"))
        .isEqualTo("Deleting the 2 oldest of 3 snapshots gives back 2.0 MiB.");
    assertThat(all.json().at("/enough").asBoolean()).isFalse();
    assertThat(AdminServer.texts(all, "/id")).isEqualTo(byAge);
    assertThat(all.text("/sentence"))
        .isEqualTo(
            "Deleting all snapshots that may go, 3 in number, gives back 3.0 MiB of 100.0 MiB.");
    assertThat(AdminServer.texts(more, "/id"))
        .contains(disk.toString())
        .doesNotContain(ofVcenter.toString());
    assertThat(more.number("/bytes")).as("vCenter's snapshot stays").isEqualTo(4 * MIB);
    assertThat(more.number("/candidates")).isEqualTo(4);

    Answer exported =
        server.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:a\"]}".formatted(disk));
    assertThat(exported.status()).as(exported.toString()).isEqualTo(201);
    Answer used = server.get("space/reclaimable?volumes=true&bytes=" + 100L * MIB);
    assertThat(AdminServer.texts(used, "/id")).as("an exported volume stays").isEqualTo(byAge);
    long before = used();
    AdminServer.texts(used, "/id").forEach(id -> server.delete("snapshots/" + id));
    assertThat(before - used()).isEqualTo(used.number("/bytes"));
  }

  @Test
  void withoutCandidatesThePlanSaysSo() {
    server.control.volume(
        server.control.containers.require(UUID.fromString(container)),
        ControlPlane.GIB,
        Map.of("VMW_VmID", "vm-1"));

    Answer none = server.get("space/reclaimable?volumes=true&bytes=1");

    assertThat(none.json().at("/items")).isEmpty();
    assertThat(none.json().at("/enough").asBoolean()).isFalse();
    assertThat(none.text("/sentence"))
        .isEqualTo(
            "There are no snapshots and plain volumes that may go: those of vCenter and those in"
                + " use stay.");
  }
}
