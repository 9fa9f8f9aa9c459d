package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.model.Ports;
import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginRefusedException;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.harness.RestClient;
import io.coppice.testcontainers.CoppiceContainer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The Coppice that other projects test against, with each of the things that it hands out.
@ExtendWith(DockerDaemon.class)
class CoppiceContainerIT {

  private static final String INITIATOR = "iqn.2026-11.test:reader";

  private static CoppiceContainer coppice;

  @BeforeAll
  static void start() {
    coppice =
        new CoppiceContainer(DockerDaemon.providerImage())
            .withSetting("coppice.pool.capacity", "1GB");
    coppice.start();
  }

  @AfterAll
  static void stop() {
    if (coppice != null) {
      coppice.close();
    }
  }

  @Test
  void theAdministratorIsAnsweredOverAConnectionThatIsTrusted() throws Exception {
    HttpRequest whoAmI =
        HttpRequest.newBuilder(coppice.restApi().resolve("me"))
            .header("Authorization", "Bearer " + coppice.adminToken())
            .build();

    HttpResponse<String> answer =
        coppice.httpClient().send(whoAmI, HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(JsonMapper.shared().readTree(answer.body()).get("role").asString())
        .isEqualTo("admin");
    try (HttpClient stranger = HttpClient.newHttpClient()) {
      assertThatExceptionOfType(SSLException.class)
          .isThrownBy(() -> stranger.send(whoAmI, HttpResponse.BodyHandlers.ofString()));
    }
  }

  @Test
  void settingsReachTheProvider() {
    JsonNode space = rest().get("system").get("space");

    assertThat(space.get("capacity").asLong()).isBetween(1L << 28, 1_000L << 20);
  }

  @Test
  void theVcenterIsRegisteredAndSeesWhatTheAdministratorMade() {
    String container = coppice.createStorageContainer("seen \"by\" vCenter", 1L << 28);

    assertThat(coppice.vcenter().sync().container("seen \"by\" vCenter").id()).isEqualTo(container);
    assertThat(coppice.vcenter()).isSameAs(coppice.vcenter());
    assertThat(rest().get("registrations").get("items")).hasSize(1);
  }

  @Test
  void twoHostsShareTheDisksOfAMachine() {
    String container = coppice.createStorageContainer("machines", 8L << 30);
    EsxiHost first = coppice.esxiHost("esxi-1");
    EsxiHost second = coppice.esxiHost("esxi-2");
    VirtualMachine machine = VirtualMachine.create(first, VmSpec.of("vm", container, 16, 4));
    ScsiDisk disk = machine.bindDisks().getFirst().disk();
    disk.write(4096, filled(7));
    var snapshot = machine.snapshot("before");
    disk.write(4096, filled(9));
    ByteBuffer then = ByteBuffer.allocate(4096);
    ByteBuffer now = ByteBuffer.allocate(4096);

    second.bind(snapshot.diskIds().getFirst()).disk().read(4096, then);
    second.bind(machine.diskIds().getFirst()).disk().read(4096, now);

    assertThat(then.flip()).isEqualTo(filled(7));
    assertThat(now.flip()).isEqualTo(filled(9));
  }

  @Test
  void anInitiatorReadsAndWritesAnExportedVolumeAndAnotherIsRefused() {
    String container = coppice.createStorageContainer("plain", 1L << 28);
    String volume =
        rest()
            .post(
                "volumes",
                "{\"name\": \"disk\", \"size\": 1048576, \"container\": \"%s\"}"
                    .formatted(container))
            .get("id")
            .asString();
    JsonNode export =
        rest()
            .post(
                "exports",
                "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, INITIATOR));
    String target = export.get("target").asString();

    IscsiPath path = coppice.initiator(INITIATOR, target);
    Lun lun = Lun.simple(export.get("lun").asInt());
    ScsiDisk disk = ScsiDisk.open(new LogicalUnit(path, lun));
    disk.write(0, filled(5));
    ByteBuffer found = ByteBuffer.allocate(4096);
    disk.read(0, found);

    assertThat(disk.bytes()).isEqualTo(1_048_576);
    assertThat(found.flip()).isEqualTo(filled(5));
    assertThatExceptionOfType(LoginRefusedException.class)
        .isThrownBy(() -> coppice.initiator("iqn.2026-11.test:stranger", target));
  }

  @Test
  void anotherContainerReachesTheProviderByItsAlias() throws Exception {
    try (GenericContainer<?> client =
        new GenericContainer<>("postgres:15")
            .withNetwork(coppice.network())
            .withCommand("sleep", "600")) {
      client.start();
      for (int port : List.of(3260, 8443, 9443)) {
        String open =
            "exec 3<>/dev/tcp/%s/%d && echo open".formatted(CoppiceContainer.NETWORK_ALIAS, port);

        assertThat(client.execInContainer("bash", "-c", open).getStdout()).isEqualTo("open\n");
      }
    }
  }

  @Test
  void theCertificateIsForTheAliasToo() throws Exception {
    assertThat(coppice.rootCertificate().getSubjectX500Principal().getName())
        .contains("Coppice root");
    assertThat(
            coppice
                .provider()
                .execInContainer("coppice", "doctor", "--name", CoppiceContainer.NETWORK_ALIAS)
                .getStdout())
        .doesNotContain("FAIL");
  }

  /// Where the daemon is on this machine: it would publish them to everybody otherwise.
  @Test
  void thePortsAreOpenOnLoopbackAlone() throws IOException {
    assumeTrue(
        InetAddress.getByName(coppice.provider().getHost()).isLoopbackAddress(),
        "the Docker daemon is on another machine");
    Ports ports = coppice.provider().getContainerInfo().getNetworkSettings().getPorts();

    assertThat(
            ports.getBindings().values().stream()
                .filter(Objects::nonNull) // the image names a port that is not published
                .flatMap(Arrays::stream)
                .map(Ports.Binding::getHostIp))
        .hasSize(3)
        .containsOnly("127.0.0.1");
  }

  @Test
  void aMissingImageSaysWhichCommandsMakeIt() {
    try (CoppiceContainer missing = new CoppiceContainer("coppice:0.0.0-never-made")) {
      assertThatExceptionOfType(ContainerFetchException.class)
          .isThrownBy(missing::start)
          .withMessageContaining("expected the Docker daemon to have the image coppice:0.0.0")
          .withMessageContaining("./coppice package")
          .withMessageContaining("docker load -i vasa-provider/target/package/coppice-0.0.0");
    }
  }

  @Test
  void aProviderThatDoesNotStartShowsTheEndOfItsLogAndLeavesNothing() {
    int before = containersOfThisRun();
    assertThat(before).isEqualTo(2);
    try (CoppiceContainer refused =
        new CoppiceContainer(DockerDaemon.providerImage())
            .withSetting("coppice.pool.capacity", "1KB")) {
      assertThatExceptionOfType(ContainerLaunchException.class)
          .isThrownBy(refused::start)
          .withMessageContaining("the provider (image coppice:")
          .withMessageContaining("ended with exit status")
          .withMessageContaining("the end of its log:")
          .withMessageContaining("coppice.pool.capacity");
      assertThat(containersOfThisRun()).isEqualTo(before);
      assertThatIllegalStateException().isThrownBy(refused::adminToken);
    }
  }

  @Test
  void afterAStopTheNextStartIsEmpty() throws IOException {
    try (CoppiceContainer twice = new CoppiceContainer(DockerDaemon.providerImage())) {
      twice.start();
      twice.createStorageContainer("gone", 1L << 28);
      twice.esxiHost("esxi-3");
      URI first = twice.restApi();
      twice.start();
      assertThat(twice.restApi()).isEqualTo(first);
      assertThatIllegalStateException()
          .isThrownBy(() -> twice.withSetting("coppice.pool.capacity", "2GB"));
      twice.stop();
      assertThatIllegalStateException().isThrownBy(twice::restApi);

      twice.withSetting("coppice.pool.capacity", "2GB").start();

      RestClient rest = new RestClient(twice.restApi(), twice.adminToken());
      assertThat(rest.get("containers").get("items")).isEmpty();
    }
  }

  private static RestClient rest() {
    return new RestClient(coppice.restApi(), coppice.adminToken());
  }

  private static ByteBuffer filled(int value) {
    byte[] block = new byte[4096];
    Arrays.fill(block, (byte) value);
    return ByteBuffer.wrap(block);
  }

  private static int containersOfThisRun() {
    return DockerClientFactory.instance()
        .client()
        .listContainersCmd()
        .withShowAll(true)
        .withLabelFilter(
            Map.of(
                DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL,
                DockerClientFactory.SESSION_ID))
        .exec()
        .size();
  }
}
