package io.coppice.testcontainers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/// The containers of one Coppice: the provider and its PostgreSQL, on a network of their own.
final class Containers implements AutoCloseable {

  static final int VASA_PORT = 8443;
  static final int ISCSI_PORT = 3260;
  static final String ALIAS = "coppice";

  private static final String DATABASE_ALIAS = "database";
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final Network network = Network.newNetwork();
  private final PostgreSQLContainer database;
  private final GenericContainer<?> provider;

  private Containers(
      DockerImageName image, DockerImageName databaseImage, Map<String, String> settings) {
    String host = DockerClientFactory.instance().dockerHostIpAddress();
    database =
        new PostgreSQLContainer(databaseImage.asCompatibleSubstituteFor("postgres"))
            .withNetwork(network)
            .withNetworkAliases(DATABASE_ALIAS);
    // Testcontainers switches fsync off unless told otherwise, and Coppice refuses such a database.
    database.withCommand("postgres");
    provider =
        new GenericContainer<>(image)
            .withNetwork(network)
            .withNetworkAliases(ALIAS)
            .withEnv(
                "COPPICE_DATABASE_URL",
                "jdbc:postgresql://%s:%d/%s"
                    .formatted(
                        DATABASE_ALIAS,
                        PostgreSQLContainer.POSTGRESQL_PORT,
                        database.getDatabaseName()))
            .withEnv("COPPICE_DATABASE_USER", database.getUsername())
            .withEnv("COPPICE_DATABASE_PASSWORD", database.getPassword())
            .withCommand(arguments(host, settings))
            .withExposedPorts(VASA_PORT, Management.PORT, ISCSI_PORT)
            .waitingFor(new Readiness())
            .withStartupTimeout(START_LIMIT);
    if (isLoopback(host)) {
      database.withCreateContainerCmdModifier(Containers::publishOnLoopback);
      provider.withCreateContainerCmdModifier(Containers::publishOnLoopback);
    }
  }

  /// A thin pool takes as much of the disk as the test writes.
  private static String[] arguments(String host, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("coppice.pool.capacity", "8GB");
    all.put("coppice.pool.thin", "true");
    all.put("coppice.tls.names", String.join(",", List.of(host, ALIAS, "localhost", LOOPBACK)));
    all.putAll(settings);
    return all.entrySet().stream()
        .map(each -> "--%s=%s".formatted(each.getKey(), each.getValue()))
        .toArray(String[]::new);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /// A daemon on this machine would publish ports on all addresses, for everybody who reaches it.
  private static void publishOnLoopback(CreateContainerCmd command) {
    Ports ports = new Ports();
    for (ExposedPort port : Objects.requireNonNull(command.getExposedPorts())) {
      ports.bind(port, Ports.Binding.bindIp(LOOPBACK));
    }
    Objects.requireNonNull(command.getHostConfig()).withPortBindings(ports);
  }

  /// Returns when both containers run and the provider answers calls.
  ///
  /// @throws ContainerLaunchException if one does not; the message has the last lines of its log
  static Containers start(
      DockerImageName image, DockerImageName databaseImage, Map<String, String> settings) {
    Containers made = new Containers(image, databaseImage, settings);
    try {
      launch("PostgreSQL", made.database);
      launch("the provider", made.provider);
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private static void launch(String what, GenericContainer<?> container) {
    LogTail log = new LogTail();
    container.withLogConsumer(log);
    try {
      container.start();
    } catch (ContainerLaunchException e) {
      throw new ContainerLaunchException(
          "%s (image %s) did not start: %s%s"
              .formatted(what, container.getDockerImageName(), reason(e), shown(log.atEnd())),
          e);
    }
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private static String shown(List<String> lastLines) {
    return lastLines.isEmpty()
        ? "; it wrote no log"
        : "; the end of its log:\n  " + String.join("\n  ", lastLines);
  }

  Network network() {
    return network;
  }

  GenericContainer<?> provider() {
    return provider;
  }

  @Override
  public void close() {
    provider.stop();
    database.stop();
    network.close();
  }
}
