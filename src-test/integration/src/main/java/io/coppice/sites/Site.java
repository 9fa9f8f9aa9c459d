package io.coppice.sites;

import io.coppice.harness.FreePorts;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A provider with a pool and a database of its own, whose peers call it on loopback. It can be
/// ended without warning and started again.
///
/// For one thread at a time; [#close] may be called by any.
public final class Site implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(3);
  private static final int DATABASE_SECONDS = 20;

  private final String name;
  private final ProviderProcess process;
  // Under the lock of this.
  private @Nullable RestClient rest;
  private boolean closed;

  /// @param name what its peers call its pool
  /// @param home the folder of all that it keeps
  /// @param settings `--coppice.key=value`
  public Site(Path jar, Path home, String name, List<String> settings) {
    this.name = name;
    List<String> all = new ArrayList<>(settings);
    all.add("--coppice.vasa.name=" + name);
    all.add("--coppice.replication.address=127.0.0.1");
    all.add("--coppice.replication.advertise=127.0.0.1");
    all.add("--coppice.replication.port=" + FreePorts.take(1).getFirst());
    process = new ProviderProcess(jar, home, all);
  }

  public String name() {
    return name;
  }

  /// Begins to start it.
  ///
  /// @throws Mismatch if it was closed meanwhile
  public synchronized void start() {
    if (closed) {
      throw new Mismatch("the provider of %s is closed".formatted(name));
    }
    process.start();
    rest = null;
  }

  /// Waits until its control plane answers.
  public void awaitReady() {
    process.awaitReady(START);
  }

  /// Ends its provider without warning. Its database runs on.
  public void kill() {
    process.kill();
  }

  public ProviderProcess process() {
    return process;
  }

  /// An administrator's client.
  public synchronized RestClient rest() {
    RestClient known = rest;
    if (known == null) {
      known = new RestClient(process.management(), process.adminToken());
      rest = known;
    }
    return known;
  }

  /// The id of its pool.
  public String pool() {
    return rest().get("system").get("pool").asString();
  }

  /// Makes a storage container.
  ///
  /// @param quota bytes that it may provision
  /// @return its id
  public String container(String called, long quota) {
    return rest()
        .post("containers", "{\"name\": \"%s\", \"quota\": %d}".formatted(called, quota))
        .get("id")
        .asString();
  }

  /// Pairs it with another one, which shows a code.
  public void pair(Site other) {
    JsonNode code = other.rest().post("replication/codes", "");
    String address = "127.0.0.1:" + other.process.management().getPort();
    rest()
        .post(
            "replication/peers",
            "{\"address\": \"%s\", \"code\": \"%s\"}"
                .formatted(address, code.get("code").asString()));
  }

  /// A replication group as this site knows it.
  public GroupEnd group(String id) {
    return new GroupEnd(name, rest(), id);
  }

  /// Makes a replication group whose source is here. It keeps the newest replica alone.
  ///
  /// @param called its name
  /// @param interval from one cycle to the next, in seconds
  /// @param kind of the members: `vm` or `volume`
  /// @param members ids
  /// @param container the other site's, for the volumes of a fail-over
  public GroupEnd replicate(
      Site to, String called, int interval, String kind, List<String> members, String container) {
    String listed =
        String.join(
            ", ", members.stream().map(id -> "{\"%s\": \"%s\"}".formatted(kind, id)).toList());
    String id =
        rest()
            .post(
                "replication/groups",
                """
                {"name": "%s", "peer": "%s", "interval": "PT%dS", "members": [%s],
                 "container": "%s"}
                """
                    .formatted(called, to.pool(), interval, listed, container))
            .get("id")
            .asString();
    return group(id);
  }

  /// Ends the provider and its database, whatever state they are in. It cannot be started again.
  @Override
  public synchronized void close() {
    closed = true;
    process.stop();
    endDatabase();
  }

  // A provider that was killed leaves its database running.
  private void endDatabase() {
    Path data = process.home().resolve("database");
    try {
      long pid =
          Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
      Path folder = Path.of("/proc", Long.toString(pid), "cwd").toRealPath();
      if (folder.equals(data.toRealPath())) {
        ProcessHandle.of(pid)
            .ifPresent(
                server -> {
                  server.destroy();
                  server
                      .onExit()
                      .completeOnTimeout(server, DATABASE_SECONDS, TimeUnit.SECONDS)
                      .join();
                });
      }
    } catch (IOException e) {
      // It does not run.
    }
  }
}
