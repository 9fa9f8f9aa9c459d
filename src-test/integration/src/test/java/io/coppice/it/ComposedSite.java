package io.coppice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The containers of `docker/compose.yaml`, on a loopback address of their own. Their volumes are
/// deleted at the end.
final class ComposedSite implements AutoCloseable {

  private static final long PATIENCE_NANOS = 180_000_000_000L;

  /// A small pool, a database that the test reaches, and answers of the health check sooner than an
  /// operator needs them.
  private static final String FOR_THE_TEST =
      """
      version: "3.8"
      services:
        database:
          ports:
            - "%s:5432:5432"
        provider:
          environment:
            COPPICE_POOL_CAPACITY: 256MB
            COPPICE_POOL_THIN: "true"
          healthcheck:
            interval: 2s
      """;

  private final String address;
  private final Path password;
  private final List<String> compose;

  private ComposedSite(Path folder) throws IOException {
    SecureRandom random = new SecureRandom();
    this.address =
        "127.%d.%d.%d"
            .formatted(random.nextInt(1, 255), random.nextInt(255), random.nextInt(1, 255));
    this.password = folder.resolve("database.password");
    Commands.require(
        20,
        "env",
        "COPPICE_DB_PASSWORD_FILE=" + password,
        Packages.checkout().resolve("docker/database-password.sh").toString());
    Path override = folder.resolve("override.yaml");
    Files.writeString(override, FOR_THE_TEST.formatted(address));
    this.compose = new ArrayList<>();
    compose.addAll(
        List.of("env", "COPPICE_BIND=" + address, "COPPICE_DB_PASSWORD_FILE=" + password));
    compose.addAll(composeCommand());
    compose.addAll(
        List.of(
            "-p",
            "coppice" + random.nextInt(1_000_000),
            "-f",
            Packages.checkout().resolve("docker/compose.yaml").toString(),
            "-f",
            override.toString()));
  }

  private static List<String> composeCommand() {
    if (Commands.run(20, List.of("docker", "compose", "version")).exitCode() == 0) {
      return List.of("docker", "compose");
    }
    assumeTrue(Commands.exists("docker-compose"), "neither docker compose nor docker-compose");
    return List.of("docker-compose");
  }

  /// Starts both containers, the provider's once the database's is healthy.
  ///
  /// @throws org.opentest4j.TestAbortedException if there is no compose
  static ComposedSite up(Path folder) throws IOException {
    ComposedSite site = empty(folder);
    try {
      site.compose("up", "-d");
    } catch (Mismatch e) {
      site.close();
      throw e;
    }
    return site;
  }

  /// As [#up], over what release 0.1.0 has left in the volumes of both containers.
  ///
  /// @throws org.opentest4j.TestAbortedException if there is no compose
  static ComposedSite upgraded(Path folder) throws IOException, SQLException {
    ComposedSite site = empty(folder);
    try {
      site.compose("up", "--no-start");
      site.restoreHome(folder.resolve("home"));
      site.compose("up", "-d", "database");
      site.await("database");
      EarlierRelease.restoreRows(
          "jdbc:postgresql://%s:5432/coppice".formatted(site.address),
          "coppice",
          Files.readString(site.password).strip());
      site.compose("up", "-d");
    } catch (Mismatch | IOException | SQLException e) {
      site.close();
      throw e;
    }
    return site;
  }

  private static ComposedSite empty(Path folder) throws IOException {
    assumeTrue(Commands.exists("docker"), "the command docker is not installed");
    return new ComposedSite(folder);
  }

  /// Copies the files with their owner, which is the image's user.
  private void restoreHome(Path home) throws IOException {
    EarlierRelease.restoreFiles(home);
    String provider = compose("ps", "-a", "-q", "provider").strip();
    String user =
        Commands.require(20, "docker", "inspect", "-f", "{{.Config.User}}", provider).strip();
    Commands.require(20, "chown", "-R", user, home.toString());
    Commands.require(60, "docker", "cp", home + "/.", provider + ":/var/lib/coppice");
  }

  void restart() {
    compose("restart");
  }

  /// Waits until the provider's health check says that it is well.
  void awaitHealthy() {
    await("provider");
  }

  private void await(String service) {
    String container = compose("ps", "-a", "-q", service).strip();
    long end = System.nanoTime() + PATIENCE_NANOS;
    String health = "unknown";
    while (!health.equals("healthy")) {
      if (System.nanoTime() > end) {
        throw new Mismatch(
            "expected the %s to be healthy, it is %s: %s"
                .formatted(service, health, compose("logs", service)));
      }
      LockSupport.parkNanos(200_000_000);
      health =
          Commands.require(20, "docker", "inspect", "-f", "{{.State.Health.Status}}", container)
              .strip();
    }
  }

  InetSocketAddress portal() {
    return new InetSocketAddress(address, 3260);
  }

  RestClient rest() {
    String token = compose("exec", "-T", "provider", "cat", "/var/lib/coppice/admin.token").strip();
    return new RestClient(URI.create("https://" + address + ":9443"), token);
  }

  private String compose(String... arguments) {
    List<String> command = new ArrayList<>(compose);
    command.addAll(List.of(arguments));
    return Commands.require(240, command.toArray(String[]::new));
  }

  @Override
  public void close() {
    compose("down", "-v");
  }
}
