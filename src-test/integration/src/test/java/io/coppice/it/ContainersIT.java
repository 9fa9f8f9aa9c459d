package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.postgresql.PostgreSQLContainer;
import tools.jackson.databind.JsonNode;

/// The provider against databases and in an image of its own, in containers.
///
/// Needs a Docker daemon (`docker/local-daemon.sh` starts one where there is none) and says so if
/// there is none.
@ExtendWith(DockerDaemon.class)
class ContainersIT {

  @TempDir private Path folder;

  @Test
  void theProviderRunsOnAPostgresInAContainerAndComesBackToIt() {
    try (PostgreSQLContainer database = database()) {
      database.start();
      String[] settings = {
        "--coppice.database.url=" + database.getJdbcUrl(),
        "--coppice.database.user=" + database.getUsername(),
        "--coppice.database.password=" + database.getPassword()
      };
      try (RunningProvider provider = RunningProvider.start(folder, settings)) {
        provider.rest().post("containers", "{\"name\": \"kept\", \"quota\": 1073741824}");
        provider.process().kill();
        provider.process().start();
        provider.process().awaitReady(RunningProvider.START_LIMIT);

        JsonNode containers = provider.rest().get("containers");

        assertThat(containers.get("items").toString()).contains("kept");
      }
    }
  }

  @Test
  void theImageRunsWithADatabaseBesideIt() {
    try (Network network = Network.newNetwork();
        PostgreSQLContainer database = database();
        GenericContainer<?> provider = new GenericContainer<>(DockerDaemon.providerImage())) {
      database.withNetwork(network).withNetworkAliases("database").start();
      provider
          .withNetwork(network)
          .withEnv(
              "COPPICE_DATABASE_URL",
              "jdbc:postgresql://database:5432/" + database.getDatabaseName())
          .withEnv("COPPICE_DATABASE_USER", database.getUsername())
          .withEnv("COPPICE_DATABASE_PASSWORD", database.getPassword())
          .withEnv("COPPICE_POOL_THIN", "true")
          .withExposedPorts(8443, 9443, 3260)
          .withCreateContainerCmdModifier(ContainersIT::harden)
          .waitingFor(Wait.forLogMessage(".*ports are open.*\\n", 1))
          .withStartupTimeout(Duration.ofSeconds(120))
          .start();

      String token = read(provider, "/var/lib/coppice/admin.token");
      RestClient rest =
          new RestClient(URI.create("https://localhost:" + provider.getMappedPort(9443)), token);

      assertThat(rest.get("system").get("space").get("capacity").asLong()).isPositive();
      assertThat(read(provider, "/proc/1/status").lines().filter(line -> line.startsWith("Uid:")))
          .singleElement()
          .asString()
          .doesNotContain("\t0\t");
      assertThat(read(provider, "/proc/1/status")).contains("Umask:\t0077\n");
      awaitReady(rest);
      driveAMachine(provider, rest);
    }
  }

  /// As compose.yaml has it.
  private static void harden(CreateContainerCmd command) {
    HostConfig host = Objects.requireNonNull(command.getHostConfig());
    host.withReadonlyRootfs(true)
        .withCapDrop(Capability.ALL)
        .withSecurityOpts(List.of("no-new-privileges:true"))
        .withTmpFs(Map.of("/tmp", ""));
  }

  @Test
  void composeBringsBothUpHealthyAndAgainAfterARestart() throws IOException {
    DockerDaemon.providerImage();
    try (ComposedSite site = ComposedSite.up(folder)) {
      site.awaitHealthy();
      RestClient rest = site.rest();
      awaitReady(rest);
      rest.post("containers", "{\"name\": \"composed\", \"quota\": 16777216}");

      site.restart();
      site.awaitHealthy();

      awaitReady(rest);
      assertThat(rest.get("containers").get("items").toString()).contains("composed");
    }
  }

  @Test
  void composeUpgradesWhatTheReleaseBeforeHasLeft() throws Exception {
    assumeTrue(Commands.exists("qemu-io"), "qemu-io is not installed (package qemu-utils)");
    DockerDaemon.providerImage();
    try (ComposedSite site = ComposedSite.upgraded(folder)) {
      site.awaitHealthy();
      RestClient rest = site.rest();
      awaitReady(rest);

      EarlierVolumes.assertAsBefore(site.portal(), rest);
      assertThat(rest.get("policies").toString()).contains("\"gold\"");

      site.restart();
      site.awaitHealthy();

      awaitReady(rest);
      assertThat(rest.get("volumes").toString()).contains("ledger", "scratch", "copy");
    }
  }

  /// vCenter registers, a host connects, and a virtual machine's disk is written, snapshotted and
  /// reverted, all through the container's published ports.
  private static void driveAMachine(GenericContainer<?> provider, RestClient rest) {
    CallLog log = new CallLog();
    String container =
        rest.post("containers", "{\"name\": \"image\", \"quota\": 8589934592}")
            .get("id")
            .asString();
    var portal = new InetSocketAddress("127.0.0.1", provider.getMappedPort(3260));
    try (VCenter vcenter = new VCenter("vcenter.image", ClientOptions.defaults(), log)) {
      vcenter.register(
          URI.create(
              "https://localhost:%d/vasa/version.xml".formatted(provider.getMappedPort(8443))),
          "vasa",
          read(provider, "/var/lib/coppice/vasa.password"));
      try (EsxiHost host = EsxiHost.of(vcenter, "esxi-image", ClientOptions.defaults(), log)) {
        host.openSession();
        host.connect(portal, rest.get("system").get("targets").get("protocolEndpoints").asString());
        VirtualMachine machine = VirtualMachine.create(host, VmSpec.of("image", container, 16, 4));
        machine.powerOn();
        ByteBuffer written = ByteBuffer.allocate(4096).putLong(0, 42);
        machine.disks().getFirst().disk().write(0, written.duplicate());
        var snapshot = machine.snapshot("before");
        machine.disks().getFirst().disk().write(0, ByteBuffer.allocate(4096));
        machine.revert(snapshot);
        ByteBuffer found = ByteBuffer.allocate(4096);
        machine.disks().getFirst().disk().read(0, found);
        assertThat(found.getLong(0)).isEqualTo(42);
        machine.delete();
      }
      vcenter.unregister();
    } catch (IOException e) {
      throw new Mismatch("registration through the container's port failed: " + e, e);
    }
  }

  /// Testcontainers switches fsync off unless told otherwise, and Coppice refuses such a database.
  private static PostgreSQLContainer database() {
    PostgreSQLContainer database = new PostgreSQLContainer("postgres:15");
    database.withCommand("postgres");
    return database;
  }

  /// The ports open before the control plane has settled.
  private static void awaitReady(RestClient rest) {
    long deadline = System.nanoTime() + RunningProvider.START_LIMIT.toNanos();
    while (true) {
      try {
        rest.get("containers");
        return;
      } catch (Mismatch e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
      }
    }
  }

  private static String read(GenericContainer<?> container, String file) {
    try {
      return container.execInContainer("cat", file).getStdout().strip();
    } catch (IOException e) {
      throw new Mismatch("cannot read %s in the container: %s".formatted(file, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted", e);
    }
  }
}
