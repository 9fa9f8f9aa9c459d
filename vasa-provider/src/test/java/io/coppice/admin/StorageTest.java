package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.ScrubFinding;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The system, containers, plain volumes and exports.
class StorageTest {

  private static final String INITIATOR = "iqn.2026-11.test:host-a";

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
  void theSystemSaysWhetherVolumesAreServedAndWhyNot() {
    assertThat(server.get("system").text("/status/state")).isEqualTo("SERVING");
    try (AdminServer other = new AdminServer()) {
      ((MemoryEngine) other.control.engine).stop("The device is gone.");
      Answer system = other.get("system");
      other.database.cutOff = true;
      Answer list = other.get("containers");

      assertThat(system.text("/status/state")).isEqualTo("STOPPED");
      assertThat(system.text("/status/reason")).isEqualTo("The device is gone.");
      assertThat(system.text("/status/since")).isNotEmpty();
      assertThat(system.json().get("mapped").isNull()).isTrue();
      assertThat(system.number("/provisioned")).isZero();
      assertThat(list.text("/detail"))
          .contains("the database cannot be reached", "no volume is served since")
          .contains("The device is gone.");
    }
  }

  @Test
  void theSystemShowsPoolSpaceCountersAndTargets() {
    Answer system = server.get("system");

    assertThat(system.text("/pool")).isEqualTo(server.control.engine.pool().id().toString());
    assertThat(system.text("/version")).isEqualTo("1.2.3");
    assertThat(system.number("/space/capacity"))
        .isEqualTo(server.control.engine.space().capacity());
    assertThat(system.json().at("/counters").propertyNames())
        .containsExactlyInAnyOrder(
            "deviceBytesWritten",
            "deviceBytesRead",
            "batches",
            "records",
            "hostBytesWritten",
            "hostBytesRead",
            "bytesCopiedByPointer",
            "bytesMoved",
            "copiesMended");
    assertThat(system.text("/targets/plain")).isEqualTo(server.control.luns.plainTarget());
    assertThat(system.text("/protocolEndpoints/0/naa")).startsWith("naa.");
    assertThat(system.text("/portals/0")).isEqualTo("127.0.0.1:3260");
  }

  @Test
  void theSystemAddsUpWhatIsPromisedAndWhatOfItHasData() {
    String container = server.container("promised");
    Answer before = server.get("system");
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(UUID.fromString(container)),
            ControlPlane.GIB,
            Map.of());
    server.control.write(disk, 0, 2 << 20, 1);
    server.control.snapshot(disk);

    server.database.cutOff = true;
    Answer after = server.get("system");
    server.database.cutOff = false;

    assertThat(after.number("/provisioned") - before.number("/provisioned"))
        .as("the volume and its snapshot")
        .isEqualTo(2 * ControlPlane.GIB);
    assertThat(after.number("/mapped") - before.number("/mapped")).isEqualTo(4 << 20);
    assertThat(after.number("/space/used") - before.number("/space/used")).isEqualTo(2 << 20);
  }

  @Test
  void theSearchForDamageIsStartedPausedAndTellsWhatItFound() {
    VolumeId volume = VolumeId.random();
    Instant found = Instant.parse("2026-11-01T12:00:00Z");
    server.control.damage().find(new ScrubFinding.BadBlock(volume, 24, "here", "so", found));
    server.control.damage().find(new ScrubFinding.BadMetadata("a superblock", true, found));

    assertThat(server.get("scrub").json().get("lastEnded").isNull()).isTrue();
    assertThat(server.post("scrub/pause", "").json().get("paused").asBoolean()).isTrue();
    assertThat(server.post("scrub/resume", "").json().get("paused").asBoolean()).isFalse();
    Answer started = server.post("scrub/start", "");

    assertThat(started.status()).isEqualTo(202);
    assertThat(started.text("/lastEnded")).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(started.number("/badBlocks")).isEqualTo(1);
    assertThat(started.text("/findings/0/volume")).isEqualTo(volume.toString());
    assertThat(started.number("/findings/0/lba")).isEqualTo(24);
    assertThat(started.text("/findings/0/sentence")).contains("LBA 24 to 31 of volume " + volume);
    assertThat(started.json().at("/findings/1/volume").isNull()).isTrue();
    assertThat(started.json().at("/findings/1/replaced").asBoolean()).isTrue();
    server.control.damage().mend();
  }

  @Test
  void theMapOfThePoolSaysWhatIsVerifiedAndWhatIsDamaged() {
    Instant found = Instant.parse("2026-11-01T12:00:00Z");
    server
        .control
        .damage()
        .find(new ScrubFinding.BadBlock(VolumeId.random(), 24, "here", "so", found));
    server.control.damage().find(new ScrubFinding.BadMetadata("a superblock", true, found));

    Answer usual = server.get("scrub/map");
    Answer four = server.get("scrub/map?cells=4");

    server.control.damage().mend();
    assertThat(usual.json().at("/cells")).hasSize((int) usual.number("/zones"));
    assertThat(usual.number("/unplaced")).isEqualTo(1);
    assertThat(usual.text("/cells/3/state")).isEqualTo("damaged");
    assertThat(usual.number("/cells/3/findings")).isEqualTo(1);
    assertThat(four.json().at("/cells")).hasSize(4);
    assertThat(four.text("/cells/0/state")).isEqualTo("damaged");
    assertThat(four.number("/cells/0/findings")).isEqualTo(1);
    assertThat(four.text("/cells/1/state")).isIn("waiting", "verified");
    assertThat(four.text("/cells/2/state")).isEqualTo("free");
    for (String wrong : List.of("0", "4097", "many")) {
      assertProblem(server.get("scrub/map?cells=" + wrong), 400, "invalid-argument");
    }
  }

  @Test
  void spaceTellsWhatADeletionGivesBack() {
    var row = server.control.containers.require(UUID.fromString(server.container("space")));
    VolumeId disk = server.control.volume(row, ControlPlane.GIB, Map.of());
    server.control.write(disk, 0, 1 << 20, 1);
    server.control.write(disk, 4 << 20, 1 << 20, 1);
    VolumeId snapshot = server.control.snapshot(disk);
    server.control.write(disk, 0, 1 << 20, 2);

    Answer ofDisk = server.get("vvols/" + disk + "/space");
    Answer ofSnapshot = server.get("snapshots/" + snapshot + "/space");

    assertThat(ofDisk.status()).as(ofDisk.toString()).isEqualTo(200);
    for (Answer answer : List.of(ofDisk, ofSnapshot)) {
      assertThat(answer.number("/size")).isEqualTo(ControlPlane.GIB);
      assertThat(answer.number("/mapped")).isEqualTo(2 << 20);
      assertThat(answer.number("/shared")).isEqualTo(1 << 20);
      assertThat(answer.number("/unique")).isEqualTo(1 << 20);
      assertThat(answer.number("/reserved")).isZero();
    }
    long used = server.control.engine.space().used();
    assertThat(server.delete("snapshots/" + snapshot + "?force=true").status()).isEqualTo(204);
    assertThat(used - server.control.engine.space().used())
        .isEqualTo(ofSnapshot.number("/freedIfDeleted"))
        .isEqualTo(1 << 20);
    assertThat(server.get("vvols/" + disk + "/space").number("/freedIfDeleted"))
        .as("all of it, now that it shares nothing")
        .isEqualTo(2 << 20);
    assertProblem(server.get("snapshots/" + snapshot + "/space"), 404, "not-found");
    assertProblem(server.get("vvols/" + UUID.randomUUID() + "/space"), 404, "not-found");
  }

  @Test
  void aContainerIsMadeChangedAndDeleted() {
    Answer made = server.post("containers", "{\"name\": \"life\", \"quota\": 10737418240}");
    String path = "containers/" + made.text("/id");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Location")).isEqualTo("/api/v1/" + path);
    assertThat(made.number("/free")).isEqualTo(10737418240L);
    Answer changed = server.patch(path, "{\"quota\": 21474836480}");
    assertThat(changed.text("/name")).isEqualTo("life");
    assertThat(changed.number("/quota")).isEqualTo(21474836480L);
    assertThat(server.patch(path, "{\"name\": \"second\"}").text("/name")).isEqualTo("second");
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertProblem(server.get(path), 404, "not-found");
    assertThat(AdminServer.texts(server.get("events?limit=3"), "/sentence"))
        .contains("Storage container second (%s) was deleted.".formatted(made.text("/id")));
  }

  @Test
  void aContainerCountsItsVmsVvolsAndSpace() {
    UUID container = UUID.fromString(server.container("counted"));
    var row = server.control.containers.require(container);
    VolumeId disk = server.control.volume(row, ControlPlane.GIB, Map.of("VMW_VmID", "vm-1"));
    server.control.volume(row, ControlPlane.GIB, Map.of("VMW_VmID", "vm-1"));
    server.control.volume(row, ControlPlane.GIB, Map.of("VMW_VmID", "vm-2"));
    server.control.write(disk, 0, 1 << 20, 1);

    Answer answer = server.get("containers/" + container);

    assertThat(answer.number("/vms")).isEqualTo(2);
    assertThat(answer.number("/vvols")).isEqualTo(3);
    assertThat(answer.number("/provisioned")).isEqualTo(3 * ControlPlane.GIB);
    assertThat(answer.number("/free") + answer.number("/used")).isEqualTo(answer.number("/quota"));
    assertProblem(server.delete("containers/" + container), 409, "in-use");
  }

  @Test
  void anExportSaysHowToReachThePlainVolume() {
    String container = server.container("exporting");
    String volume = server.volume(container, "plain");

    Answer made =
        server.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                .formatted(volume, INITIATOR));

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.text("/target")).isEqualTo(server.control.luns.plainTarget());
    assertThat(made.text("/portals/0")).isEqualTo("127.0.0.1:3260");
    assertThat(made.json().get("readOnly").asBoolean()).isFalse();
    assertThat(made.text("/initiators/0")).isEqualTo(INITIATOR);
    assertThat(server.get("exports/" + volume).number("/lun")).isEqualTo(made.number("/lun"));
    assertThat(AdminServer.texts(server.get("exports"), "/vvol")).contains(volume);
    assertProblem(server.delete("volumes/" + volume), 409, "in-use");

    Answer ended = server.delete("exports/" + volume);
    assertThat(ended.status()).isEqualTo(200);
    assertThat(ended.number("/lun")).isEqualTo(made.number("/lun"));
    assertThat(ended.text("/naa")).isEqualTo(made.text("/naa"));
    assertThat(Instant.parse(ended.text("/restsUntil"))).isAfter(Instant.now());
    assertThat(ended.json().get("sessions").isEmpty()).isTrue();
    assertProblem(server.get("exports/" + volume), 404, "not-found");
    assertThat(server.delete("volumes/" + volume).status()).isEqualTo(204);
    assertThat(server.control.engine.find(VolumeId.parse(volume))).isEmpty();
  }

  @Test
  void aDiskOfAVirtualMachineIsNotExportedNorDeletedAsAPlainVolume() {
    var row = server.control.containers.require(UUID.fromString(server.container("vm-disk")));
    VolumeId disk = server.control.volume(row, ControlPlane.GIB);
    String body = "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(disk, INITIATOR);

    assertProblem(server.post("exports", body), 409, "not-supported");
    assertProblem(server.delete("volumes/" + disk), 409, "not-plain");
  }

  @Test
  void theNaaOfAVolumeIsThatOfItsExport() {
    String volume = server.volume(server.container("named"), "named");
    String naa = server.control.luns.naaOf(VolumeId.parse(volume));
    String body = "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, INITIATOR);

    assertThat(naa).startsWith("naa.6");
    assertThat(server.post("exports", body).text("/naa")).isEqualTo(naa);
    assertThat(server.get("exports/" + volume).text("/naa")).isEqualTo(naa);
    assertThat(server.get("vvols/" + volume).text("/naa")).isEqualTo(naa);
    assertThat(AdminServer.texts(server.get("exports"), "/naa")).contains(naa);
    assertThat(AdminServer.texts(server.get("vvols"), "/naa")).contains(naa);
  }

  @Test
  void anUnexportSaysWhichSessionsMayStillHaveTheDisk() {
    String initiator = "iqn.2026-11.test:held";
    String volume = server.volume(server.container("held"), "held");
    String body = "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, initiator);
    server.post("exports", body);
    server
        .control
        .target
        .plain()
        .attach(
            new InitiatorPort(initiator, 0x23d000001L),
            new SessionOrigin("10.0.0.1:3260", "10.0.0.9:40000"));

    Answer ended = server.delete("exports/" + volume);

    assertThat(ended.text("/sessions/0/initiator")).isEqualTo(initiator);
    assertThat(ended.text("/sessions/0/isid")).isEqualTo("00023d000001");
    assertThat(ended.text("/sessions/0/portal")).isEqualTo("10.0.0.1:3260");
    assertThat(ended.text("/sessions/0/address")).isEqualTo("10.0.0.9:40000");
  }

  @Test
  void aNumberThatRestsIsTakenByForceOfAnAdministratorOnly() {
    String initiator = "iqn.2026-11.test:resting";
    String container = server.container("resting");
    String first = server.volume(container, "first");
    String second = server.volume(container, "second");
    String body = "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"lun\": 177%s}";
    server.post("exports", body.formatted(first, initiator, ""));
    server.delete("exports/" + first);

    Answer refused = server.post("exports", body.formatted(second, initiator, ""));
    assertProblem(refused, 409, "number-rests");
    assertThat(refused.text("/detail")).contains(first, initiator);
    String forced = body.formatted(second, initiator, ", \"force\": true");
    assertProblem(
        server.callAs(server.token("storage-admin"), "POST", "exports", forced), 403, "forbidden");
    assertThat(server.post("exports", forced).number("/lun")).isEqualTo(177);
  }

  @Test
  void aNumberThatIsTakenIsRefused() {
    String container = server.container("numbers");
    String first = server.volume(container, "first");
    String second = server.volume(container, "second");
    String body = "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"lun\": 77}";

    assertThat(server.post("exports", body.formatted(first, INITIATOR)).number("/lun"))
        .isEqualTo(77);
    assertProblem(server.post("exports", body.formatted(second, INITIATOR)), 409, "in-use");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"vvol\": \"VOLUME\", \"initiators\": []}",
        "{\"vvol\": \"VOLUME\", \"initiators\": [\"not an iscsi name\"]}",
        "{\"vvol\": \"VOLUME\", \"initiators\": [null]}",
        "{\"vvol\": \"VOLUME\"}",
        "{\"vvol\": \"VOLUME\", \"initiators\": [\"iqn.2026-11.test:a\"], \"lun\": -1}",
        "{\"vvol\": \"VOLUME\", \"initiators\": [\"iqn.2026-11.test:a\"], \"lun\": 16384}",
        "{\"initiators\": [\"iqn.2026-11.test:a\"]}",
      })
  void anExportWithBadInputIsRefused(String body) {
    String volume = server.volume(server.container(UUID.randomUUID().toString()), "bad");

    Answer answer = server.post("exports", body.replace("VOLUME", volume));

    assertProblem(answer, 400, "invalid-argument");
    assertThat(server.control.luns.exportOf(VolumeId.parse(volume))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1000, (1L << 20) + 1, (64L << 40) + (1L << 20), Long.MAX_VALUE})
  void aVolumeSizeOutOfRangeIsRefused(long size) {
    String container = server.container(UUID.randomUUID().toString());

    Answer answer =
        server.post(
            "volumes",
            "{\"name\": \"n\", \"size\": %d, \"container\": \"%s\"}".formatted(size, container));

    assertProblem(answer, 400, "invalid-argument");
    assertThat(server.get("containers/" + container).number("/vvols")).isZero();
  }

  @Test
  void aVolumeThatOutgrowsItsContainerIsRefused() {
    String container = server.container("small");

    Answer answer =
        server.post(
            "volumes",
            "{\"name\": \"n\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(200 * ControlPlane.GIB, container));

    assertProblem(answer, 507, "out-of-space");
  }

  @Test
  void aBoundVolumeIsNotExported() {
    String container = server.container("bound");
    VolumeId volume = VolumeId.parse(server.volume(container, "bound"));
    server.control.declareHost();
    server.control.luns.bind(OperationId.random(), ControlPlane.HOST, volume, java.util.Set.of());

    Answer answer =
        server.post(
            "exports", "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, INITIATOR));

    assertProblem(answer, 409, "in-use");
    assertThat(server.control.luns.exportOf(volume)).isEqualTo(Optional.empty());
    server.control.bindings.unbindFromAllHosts(volume, _ -> true);
  }

  @Test
  void whatIsPromisedBeyondThePoolIsWarnedOf() {
    long pool = server.get("system").number("/space/capacity");
    String body = "{\"name\": \"%s\", \"quota\": %d}";

    Answer large = server.post("containers", body.formatted(UUID.randomUUID(), pool + 1));
    Answer beside = server.post("containers", body.formatted(UUID.randomUUID(), 1L << 30));

    assertThat(large.text("/warning")).startsWith("the quota is more than the " + pool + " bytes");
    assertThat(beside.text("/warning")).startsWith("the quotas of all containers are ");
    assertThat(large.text("/warnings/0/code")).isEqualTo("quota-beyond-pool");
    assertThat(large.text("/warnings/0/sentence")).isEqualTo(large.text("/warning"));
    assertThat(large.text("/warnings/1/code")).isEqualTo("quotas-beyond-pool");
    assertThat(beside.text("/warnings/0/code")).isEqualTo("quotas-beyond-pool");
    assertThat(beside.json().get("warnings")).hasSize(1);
    server.delete("containers/" + AdminServer.made(large));
    server.delete("containers/" + AdminServer.made(beside));
    assertThat(server.get("system").text("/keptBack"))
        .startsWith("of %d bytes ".formatted(server.get("system").number("/space/size")));
  }
}
