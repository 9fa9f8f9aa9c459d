package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.policy.PolicyRollout;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Policies that are applied anew to the volumes that have an older edition.
class PolicyApplicationTest {

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("applied");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String name() {
    return UUID.randomUUID().toString();
  }

  private static String policy(String fields) {
    return AdminServer.made(
        server.post("policies", "{\"name\": \"%s\", %s}".formatted(name(), fields)));
  }

  private static void edit(String policy, int generation, String fields) {
    Answer edited =
        server.put(
            "policies/" + policy,
            "{\"name\": \"%s\", \"generation\": %d, %s}".formatted(name(), generation, fields));
    assertThat(edited.status()).as(edited.toString()).isEqualTo(200);
  }

  private static String volume(String policy) {
    return volume(container, policy, ControlPlane.GIB);
  }

  /// Makes a plain volume, later than those before it.
  private static String volume(String where, String policy, long size) {
    server.control.clock.advance(Duration.ofSeconds(1));
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\", \"policy\": \"%s\"}"
                .formatted(name(), size, where, policy)));
  }

  private static Answer apply(String policy) {
    return server.post("policies/" + policy + "/apply", "");
  }

  @Test
  void plainVolumesGetThePresentEditionAndVvolsStay() {
    String policy = policy("\"maxIops\": 500");
    String volume = volume(policy);
    VolumeId disk =
        ControlPlane.made(
            server.control.volumes.create(
                new NewVolume(
                    UUID.fromString(container),
                    VolumeType.DATA,
                    VolumeOrigin.HOST,
                    server.control.profiles.requireOffered(policy),
                    ControlPlane.GIB,
                    Map.of("VMW_VmID", "vm-1"))));
    edit(policy, 1, "\"maxIops\": 400");
    String newer = volume(policy);

    Answer first = apply(policy);
    Answer second = apply(policy);

    assertThat(first.status()).as(first.toString()).isEqualTo(200);
    assertThat(first.number("/generation")).isEqualTo(2);
    assertThat(first.number("/applied")).isOne();
    assertThat(first.number("/refused")).isZero();
    assertThat(first.number("/vvols")).isOne();
    assertThat(first.number("/left")).isZero();
    assertThat(first.text("/sentence"))
        .isEqualTo(
            "1 plain volume has the present edition now; 1 vVol keeps an older edition until the"
                + " policy is re-applied in vCenter.");
    for (String one : new String[] {volume, newer}) {
      assertThat(server.get("vvols/" + one).number("/policy/generation")).isEqualTo(2);
      assertThat(server.get("vvols/" + one + "/limits").number("/maxIops")).isEqualTo(400);
    }
    assertThat(server.get("vvols/" + disk).number("/policy/generation")).isOne();
    assertThat(server.get("vvols/" + disk + "/limits").number("/maxIops")).isEqualTo(500);
    assertThat(second.number("/applied")).isZero();
    assertThat(second.text("/sentence")).startsWith("No plain volume was given");
    assertThat(server.get("audit?limit=2").text("/items/0/action"))
        .isEqualTo("POST /policies/{id}/apply");
  }

  @Test
  void whatIsRefusedKeepsItsEditionAndTheOthersGoOn() {
    String policy = policy("\"spaceEfficiency\": \"thin\"");
    String small =
        AdminServer.made(
            server.post(
                "containers",
                "{\"name\": \"%s\", \"quota\": %d}".formatted(name(), 3 * ControlPlane.GIB)));
    String first = volume(small, policy, 2 * ControlPlane.GIB);
    String second = volume(small, policy, 2 * ControlPlane.GIB);
    String third = volume(policy);
    edit(policy, 1, "\"spaceEfficiency\": \"thick\"");

    Answer answer = apply(policy);

    assertThat(answer.number("/applied")).isEqualTo(2);
    assertThat(answer.number("/refused")).isOne();
    assertThat(AdminServer.texts(answer, "/vvol")).containsExactly(second);
    assertThat(answer.text("/items/0/reason")).endsWith(2 * ControlPlane.GIB + " are needed");
    assertThat(answer.text("/sentence"))
        .isEqualTo(
            "2 plain volumes have the present edition now; 1 plain volume could not be given it.");
    assertThat(server.get("vvols/" + first).number("/reserved")).isEqualTo(2 * ControlPlane.GIB);
    assertThat(server.get("vvols/" + third).number("/reserved")).isEqualTo(ControlPlane.GIB);
    assertThat(server.get("vvols/" + second).number("/policy/generation")).isOne();
    assertThat(server.get("vvols/" + second).number("/reserved")).isZero();
  }

  @Test
  void oneCallTriesABoundedNumber() {
    String policy = policy("\"maxIops\": 500");
    volume(policy);
    volume(policy);
    edit(policy, 1, "\"maxIops\": 400");

    PolicyRollout rollout =
        server.control.policies.rollOut(server.control.profiles.require(policy), 1);

    assertThat(rollout.applied()).isOne();
    assertThat(rollout.left()).isOne();
    assertThat(apply(policy).number("/applied")).isOne();
  }

  @Test
  void anotherEditionThanTheOneThatIsMeantIsNotApplied() {
    String policy = policy("\"maxIops\": 500");
    String volume = volume(policy);
    edit(policy, 1, "\"maxIops\": 400");
    String path = "policies/" + policy + "/apply";

    assertProblem(server.post(path + "?generation=1", ""), 409, "generation-changed");
    assertThat(server.get("vvols/" + volume).number("/policy/generation")).isOne();
    assertThat(server.post(path + "?generation=2", "").number("/applied")).isOne();
    assertProblem(apply(name()), 404, "not-found");
    assertThat(server.callAs(server.token("vm-admin"), "POST", path, "").status()).isEqualTo(403);
  }
}
