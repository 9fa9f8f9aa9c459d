package io.coppice.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One provider as a process of its own, on loopback ports that stay the same over restarts.
///
/// Not safe for several threads.
public final class ProviderProcess implements AutoCloseable {

  private static final String THIN = "--coppice.pool.thin=";

  private final Path jar;
  private final Path home;
  private final Ports ports;
  private final List<String> extraSettings;
  private @Nullable Process process;

  /// @param extraSettings `--coppice.key=value` for every start
  public ProviderProcess(Path jar, Path home, List<String> extraSettings) {
    this(jar, home, Ports.free(), extraSettings);
  }

  private ProviderProcess(Path jar, Path home, Ports ports, List<String> extraSettings) {
    this.jar = jar;
    this.ports = ports;
    this.home = home;
    this.extraSettings = List.copyOf(extraSettings);
  }

  private record Ports(int vasa, int management, int iscsi) {

    static Ports free() {
      List<Integer> free = FreePorts.take(3);
      return new Ports(free.get(0), free.get(1), free.get(2));
    }
  }

  /// The same provider, on the same ports and pool, to be started with other settings.
  public ProviderProcess restartedWith(List<String> settings) {
    return new ProviderProcess(jar, home, ports, settings);
  }

  public URI vasa() {
    return URI.create("https://localhost:" + ports.vasa());
  }

  public URI management() {
    return URI.create("https://localhost:" + ports.management());
  }

  public InetSocketAddress portal() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.iscsi());
  }

  public Path home() {
    return home;
  }

  /// The provider's console output.
  public Path log() {
    return home.resolve("console.log");
  }

  public String vasaPassword() {
    return secret("vasa.password");
  }

  public String adminToken() {
    return secret("admin.token");
  }

  /// @throws IllegalStateException if it was never started
  public long pid() {
    return running().pid();
  }

  /// Every `--coppice.key=value` that it is started with.
  public List<String> settings() {
    List<String> settings = new ArrayList<>();
    settings.add("--coppice.home=" + home);
    settings.add("--coppice.vasa.address=127.0.0.1");
    settings.add("--coppice.vasa.port=" + ports.vasa());
    settings.add("--coppice.management.address=127.0.0.1");
    settings.add("--coppice.management.port=" + ports.management());
    settings.add("--coppice.iscsi.address=127.0.0.1");
    settings.add("--coppice.iscsi.port=" + ports.iscsi());
    if (extraSettings.stream().noneMatch(each -> each.startsWith(THIN))) {
      settings.add(THIN + true); // so that tests take as much of the disk as they write
    }
    settings.addAll(extraSettings);
    return settings;
  }

  /// Starts the process; returns at once.
  public void start() {
    List<String> command = ProviderJar.java(jar);
    command.add("-XX:MaxDirectMemorySize=1024m"); // as the launcher does
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(settings());
    try {
      Files.createDirectories(home);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits until the iSCSI portal takes connections, and returns how long that took.
  ///
  /// @param timeout without a line of the start for so long; see [Patience]
  public Duration awaitPortal(Duration timeout) {
    return awaitPort(ports.iscsi(), new Patience(log(), timeout));
  }

  /// Waits until the control plane answers. That a port is open proves little: it opens while the
  /// control plane still settles, and for a moment at the very start, when the provider finds out
  /// whether it is free and has not made its secrets yet.
  ///
  /// @param timeout without a line of the start for so long; see [Patience]
  public Duration awaitReady(Duration timeout) {
    Patience patience = new Patience(log(), timeout);
    awaitPort(ports.management(), patience);
    RestClient rest = null;
    while (true) {
      try {
        if (rest == null) {
          rest = new RestClient(management(), adminToken());
        }
        rest.get("containers");
        return patience.spent();
      } catch (Mismatch e) {
        if (patience.over() || !running().isAlive()) {
          throw new Mismatch(
              "expected the control plane to answer, it does not after %d s: %s; %s"
                  .formatted(patience.spent().toSeconds(), e.getMessage(), lastLines()),
              e);
        }
        pause();
      }
    }
  }

  /// Ends the process without warning. Its embedded database runs on, as it would.
  public void kill() {
    Process victim = running();
    victim.destroyForcibly();
    await(victim, 10);
  }

  /// Asks the process to stop and waits.
  public void stop() {
    Process target = process;
    if (target == null || !target.isAlive()) {
      return;
    }
    target.destroy();
    if (!await(target, 30)) {
      target.destroyForcibly();
      await(target, 10);
    }
  }

  @Override
  public void close() {
    stop();
  }

  private Process running() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException("the provider was not started");
    }
    return current;
  }

  private Duration awaitPort(int port, Patience patience) {
    while (!patience.over()) {
      if (!running().isAlive()) {
        throw new Mismatch(
            "expected the provider to run, it ended with %d: %s"
                .formatted(running().exitValue(), lastLines()));
      }
      try (Socket probe = new Socket()) {
        probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
        return patience.spent();
      } catch (IOException e) {
        pause();
      }
    }
    throw new Mismatch(
        "expected port %d to open, it is not after %d s: %s"
            .formatted(port, patience.spent().toSeconds(), lastLines()));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while waiting for the provider", e);
    }
  }

  private static boolean await(Process process, int seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while waiting for the provider to end", e);
    }
  }

  private String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log());
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    } catch (IOException e) {
      return "no output";
    }
  }

  private String secret(String name) {
    try {
      return Files.readString(home.resolve(name)).strip();
    } catch (IOException e) {
      throw new Mismatch("expected the provider to have made %s: %s".formatted(name, e), e);
    }
  }
}
