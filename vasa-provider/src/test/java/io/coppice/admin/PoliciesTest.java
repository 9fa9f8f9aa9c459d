package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Policies, what they decide, and what REST says when they are not kept.
class PoliciesTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String policy(String fields) {
    return AdminServer.made(
        server.post("policies", "{\"name\": \"%s\", %s}".formatted(UUID.randomUUID(), fields)));
  }

  private static String volume(String policy) {
    String container = server.container(UUID.randomUUID().toString());
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"v\", \"size\": %d, \"container\": \"%s\", \"policy\": \"%s\"}"
                .formatted(ControlPlane.GIB, container, policy)));
  }

  @Test
  void aPolicyIsOfferedToVcenterUntilItIsDeleted() {
    Answer made =
        server.post(
            "policies",
            """
            {"name": "gold", "description": "hourly", "spaceEfficiency": "thin",
             "snapshotInterval": "PT1H", "snapshotRetention": "P1D"}""");
    String path = "policies/" + made.text("/id");

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(server.get(path).text("/snapshotInterval")).isEqualTo("PT1H");
    assertThat(server.get(path).text("/snapshotRetention")).isEqualTo("P1D");
    assertThat(server.get(path).json().get("containers").isNull()).isTrue();
    assertThat(server.control.profiles.offered())
        .extracting(StorageProfile::id)
        .contains(made.text("/id"));

    assertThat(server.delete(path).status()).isEqualTo(204);
    assertThat(server.control.profiles.offered())
        .extracting(StorageProfile::id)
        .doesNotContain(made.text("/id"));
  }

  @Test
  void aDefaultPolicyIsGivenToVolumesThatComeWithout() {
    String container = server.container(UUID.randomUUID().toString());
    String path = "containers/" + container + "/default-policies";
    String thick = policy("\"spaceEfficiency\": \"thick\"");
    String body = "{\"name\": \"%s\", \"size\": 1048576, \"container\": \"%s\"}";
    assertThat(server.get(path).json().isEmpty()).isTrue();

    assertThat(server.put(path + "/Other", "{\"policy\": \"%s\"}".formatted(thick)).text("/Other"))
        .isEqualTo(thick);
    String made = AdminServer.made(server.post("volumes", body.formatted("made", container)));
    assertThat(server.delete(path + "/Other").status()).isEqualTo(204);
    String later = AdminServer.made(server.post("volumes", body.formatted("later", container)));

    assertThat(reserved(made)).isTrue();
    assertThat(reserved(later)).isFalse();
    assertThat(server.get(path).json().isEmpty()).isTrue();
    assertProblem(
        server.put(path + "/Disk", "{\"policy\": \"%s\"}".formatted(thick)),
        400,
        "invalid-argument");
    assertProblem(server.put(path + "/Other", "{}"), 400, "invalid-argument");
    assertProblem(
        server.put(path + "/Other", "{\"policy\": \"%s\"}".formatted(UUID.randomUUID())),
        404,
        "not-found");
    assertProblem(
        server.get("containers/" + UUID.randomUUID() + "/default-policies"), 404, "not-found");
  }

  private static boolean reserved(String volume) {
    return server.control.engine.find(VolumeId.parse(volume)).orElseThrow().reserved();
  }

  @Test
  void aChangeRaisesTheGenerationAndAnOlderOneIsRefused() {
    String path = "policies/" + policy("\"spaceEfficiency\": \"thin\"");
    String body = "{\"name\": \"%s\", \"generation\": 1, \"spaceEfficiency\": \"thick\"}";

    Answer changed = server.put(path, body.formatted(UUID.randomUUID()));

    assertThat(changed.number("/generation")).isEqualTo(2);
    assertThat(changed.text("/spaceEfficiency")).isEqualTo("thick");
    assertProblem(server.put(path, body.formatted("x")), 409, "generation-changed");
    assertThat(server.get(path).text("/name")).isEqualTo(changed.text("/name"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                          | 400 | invalid-argument",
        "{\"name\": \"\"}                                            | 400 | invalid-argument",
        "{\"name\": \"a\", \"spaceEfficiency\": \"lazy\"}            | 400 | invalid-argument",
        "{\"name\": \"a\", \"snapshotInterval\": \"hourly\"}         | 400 | invalid-argument",
        "{\"name\": \"a\", \"containers\": []}                       | 400 | invalid-argument",
        "{\"name\": \"a\", \"containers\": [\"6b0c2f1e-0000-4000-8000-000000000000\"]} | 400 | invalid-argument",
        "{\"name\": \"a\", \"generation\": 1}                        | 400 | invalid-argument",
        "{\"name\": \"a\", \"iops\": 100}                            | 400 | unknown-field",
        "{\"name\": \"a\", \"maxIops\": 9}                           | 400 | invalid-argument",
        "{\"name\": \"a\", \"maxIops\": \"fast\"}                    | 400 | invalid-argument",
        "{\"name\": \"a\", \"maxBandwidth\": -1}                     | 400 | invalid-argument",
        "{\"name\": \"a\", \"snapshotInterval\": \"PT1S\"}           | 422 | invalid-policy",
        "{\"name\": \"a\", \"snapshotInterval\": \"PT-1H\"}          | 422 | invalid-policy",
        "{\"name\": \"a\", \"snapshotRetention\": \"P1D\"}           | 422 | invalid-policy",
        "{\"name\": \"a\", \"recoveryPointAge\": \"often\"}          | 400 | invalid-argument",
        "{\"name\": \"a\", \"recoveryPointAge\": \"PT59S\"}          | 422 | invalid-policy",
        "{\"name\": \"a\", \"recoveryPointsKept\": \"P3651D\"}       | 422 | invalid-policy",
        "{\"name\": \"a\", \"recoveryPointsLocked\": \"-P1D\"}       | 422 | invalid-policy",
      })
  void aPolicyThatCannotBeIsRefused(String body, int status, String code) {
    int before = server.control.profiles.list().size();

    assertProblem(server.post("policies", body), status, code);
    assertThat(server.control.profiles.list()).hasSize(before);
  }

  @Test
  void thePolicyDecidesWhetherSpaceIsSetAside() {
    String thick = volume(policy("\"spaceEfficiency\": \"thick\""));
    String thin = volume(policy("\"spaceEfficiency\": \"thin\""));

    assertThat(server.control.engine.find(VolumeId.parse(thick)).orElseThrow().reserved()).isTrue();
    assertThat(server.control.engine.find(VolumeId.parse(thin)).orElseThrow().reserved()).isFalse();
    assertThat(server.get("vvols/" + thick).number("/reserved")).isEqualTo(ControlPlane.GIB);
    assertThat(server.get("vvols/" + thin).number("/reserved")).isZero();
    assertThat(server.get("vvols/" + thick).text("/compliance/status")).isEqualTo("compliant");
  }

  @Test
  void volumesAreListedByTheirPolicy() {
    String policy = policy("\"maxIops\": 500");
    String plain = volume(policy);
    volume(policy("\"maxIops\": 600"));
    String disk = vvol(policy, "vm-of-policy");
    vvol(policy("\"maxIops\": 700"), "vm-of-policy");
    server.put(
        "policies/" + policy,
        "{\"name\": \"%s\", \"generation\": 1, \"maxIops\": 400}".formatted(UUID.randomUUID()));

    String filter = "?total=true&policy=" + policy;
    Answer all = server.get("vvols" + filter);
    assertThat(AdminServer.texts(all, "/id")).as("of any edition").containsExactly(plain, disk);
    assertThat(all.number("/total")).isEqualTo(2);
    assertThat(AdminServer.texts(server.get("vvols" + filter + "&vm=vm-of-policy"), "/id"))
        .containsExactly(disk);
    assertThat(AdminServer.texts(server.get("vvols" + filter + "&compliance=compliant"), "/id"))
        .containsExactly(plain, disk);
    assertThat(AdminServer.texts(server.get("vvols" + filter + "&sort=-created"), "/id"))
        .containsExactly(disk, plain);
    assertThat(AdminServer.texts(server.get("volumes" + filter), "/id")).containsExactly(plain);
    assertThat(server.get("volumes?policy=" + UUID.randomUUID()).json().get("items")).isEmpty();
    assertProblem(server.get("volumes?policy=gold"), 400, "invalid-argument");
  }

  private static String vvol(String policy, String machine) {
    server.control.clock.advance(Duration.ofSeconds(1));
    return ControlPlane.made(
            server.control.volumes.create(
                new NewVolume(
                    server.control.container(UUID.randomUUID().toString()).id(),
                    VolumeType.DATA,
                    VolumeOrigin.HOST,
                    server.control.profiles.requireOffered(policy),
                    ControlPlane.GIB,
                    Map.of("VMW_VmID", machine))))
        .toString();
  }

  @Test
  void aThickVolumeWithoutItsReservationIsNotCompliant() {
    String policy = policy("\"spaceEfficiency\": \"thick\"");
    String volume = volume(policy);

    server.control.engine.reserve(OperationId.random(), VolumeId.parse(volume), false);

    Answer now = server.get("vvols/" + volume);
    assertThat(now.text("/policy/id")).isEqualTo(policy);
    assertThat(now.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(now.text("/compliance/violations/0/capability")).isEqualTo("spaceEfficiency");
    assertThat(now.text("/compliance/violations/0/expected")).isEqualTo("Thick");
    assertThat(now.text("/compliance/violations/0/current")).isEqualTo("Thin");
    assertThat(now.text("/compliance/reason"))
        .isEqualTo("the policy asks for spaceEfficiency Thick, and the volume has Thin");
    assertThat(AdminServer.texts(server.get("vvols?compliance=nonCompliant&limit=1000"), "/id"))
        .contains(volume);
    assertThat(AdminServer.texts(server.get("vvols?compliance=compliant&limit=1000"), "/id"))
        .doesNotContain(volume);
  }

  @Test
  void aVolumeWithAnotherLimitThanItsPolicyIsNotCompliant() {
    String policy = policy("\"maxIops\": 500, \"maxBandwidth\": 52428800");
    assertThat(server.get("policies/" + policy).number("/maxIops")).isEqualTo(500);
    assertThat(server.get("policies/" + policy).number("/maxBandwidth")).isEqualTo(52428800);
    String volume = volume(policy);
    assertThat(server.get("vvols/" + volume).text("/compliance/status")).isEqualTo("compliant");

    server.control.engine.setAttributes(
        OperationId.random(), VolumeId.parse(volume), Map.of("qos.iops", "1000"), Set.of());

    Answer now = server.get("vvols/" + volume);
    assertThat(now.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(now.text("/compliance/violations/0/capability")).isEqualTo("maxIops");
    assertThat(now.text("/compliance/violations/0/expected")).isEqualTo("500");
    assertThat(now.text("/compliance/violations/0/current")).isEqualTo("1000");
  }

  @Test
  void aMissedRunIsNotCompliantUntilItIsMadeUpFor() {
    String volume = volume(policy("\"snapshotInterval\": \"PT1H\""));
    assertThat(server.get("vvols/" + volume).text("/compliance/status")).isEqualTo("compliant");

    server.control.clock.advance(Duration.ofHours(3));

    Answer missed = server.get("vvols/" + volume);
    assertThat(missed.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(missed.text("/compliance/violations/0/capability")).isEqualTo("snapshotInterval");
    assertThat(missed.text("/compliance/violations/0/expected")).isEqualTo("PT1H");
    assertThat(missed.text("/compliance/violations/0/current")).isEqualTo("PT3H");
    server.control.schedules.takeDue();
    assertThat(server.get("vvols/" + volume).text("/compliance/status")).isEqualTo("compliant");
    assertThat(AdminServer.texts(server.get("vvols/" + volume + "/snapshots"), "/kind"))
        .containsExactly("scheduled");
  }

  @Test
  void aPolicyAsksForRecoveryPointsAndTheVolumeTellsWhatIsMissing() {
    String policy =
        policy(
            "\"recoveryPointAge\": \"PT15M\", \"recoveryPointsKept\": \"PT1H\","
                + " \"recoveryPointsLocked\": \"P1D\"");
    assertThat(server.get("policies/" + policy).text("/recoveryPointAge")).isEqualTo("PT15M");
    assertThat(server.get("policies/" + policy).text("/recoveryPointsKept")).isEqualTo("PT1H");
    assertThat(server.get("policies/" + policy).text("/recoveryPointsLocked")).isEqualTo("P1D");
    String volume = volume(policy);

    Answer bare = server.get("vvols/" + volume);
    assertThat(bare.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(bare.text("/compliance/violations/0/capability")).isEqualTo("recoveryPointAge");
    assertThat(bare.text("/compliance/violations/0/expected")).isEqualTo("PT15M");
    assertThat(bare.text("/compliance/violations/0/current")).isEqualTo("PT0S");
    assertThat(bare.text("/compliance/reason"))
        .isEqualTo(
            "nothing takes recovery points of it; no recovery point of it is kept; no recovery point of it is locked");

    String protecting = UUID.randomUUID().toString();
    Protecting.group(server, protecting, Protecting.policy(server, protecting), volume);

    assertThat(server.get("vvols/" + volume).text("/compliance/reason"))
        .isEqualTo(
            "recovery points are taken 1 hour apart, and the policy asks for 15 minutes at most;"
                + " no recovery point of it is locked");
    Answer kept = server.get("vvols/" + volume(policy("\"maxIops\": 500")));
    assertThat(kept.json().at("/compliance/reason").isNull()).isTrue();
  }

  @Test
  void switchingAScheduleOffIsNotCompliant() {
    String volume =
        volume(policy("\"snapshotInterval\": \"PT1H\", \"snapshotRetention\": \"P1D\""));

    Answer off =
        server.patch("schedules/" + volume, "{\"enabled\": false, \"retentionEnabled\": false}");

    assertThat(off.json().get("enabled").asBoolean()).isFalse();
    assertThat(off.text("/interval")).isEqualTo("PT1H");
    Answer now = server.get("vvols/" + volume);
    assertThat(now.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(now.text("/compliance/violations/0/current")).isEqualTo("PT0S");
    assertThat(now.text("/compliance/violations/1/capability")).isEqualTo("snapshotRetention");
    assertThat(now.text("/compliance/violations/1/expected")).isEqualTo("P1D");
    assertThat(now.text("/compliance/violations/1/current")).isEqualTo("PT0S");

    server.patch("schedules/" + volume, "{\"enabled\": true, \"retentionEnabled\": true}");

    assertThat(server.get("vvols/" + volume).text("/compliance/status")).isEqualTo("compliant");
    assertThat(AdminServer.texts(server.get("schedules?limit=1000"), "/vvol")).contains(volume);
    assertProblem(
        server.patch("schedules/" + UUID.randomUUID(), "{\"enabled\": true}"), 404, "not-found");
  }
}
