package io.coppice.app;

import io.coppice.app.setting.Home;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.testing.MemoryEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Coppice in this process, on free ports of the loopback address.
final class TestProvider implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final Path home;
  private final Application.Running running;

  private TestProvider(Path home, StorageEngine engine, List<String> settings) {
    this.home = home;
    List<String> args =
        new ArrayList<>(
            List.of(
                "--coppice.home=" + home,
                "--coppice.vasa.address=127.0.0.1",
                "--coppice.vasa.port=0",
                "--coppice.management.address=127.0.0.1",
                "--coppice.management.port=0",
                "--coppice.iscsi.address=127.0.0.1",
                "--coppice.iscsi.port=0",
                "--coppice.tls.names=localhost,127.0.0.1",
                "--coppice.vasa.sessions.wrong-password-delay=1ms"));
    args.addAll(settings);
    this.running =
        Application.start(
            args.toArray(String[]::new),
            (_, _, _, _) -> engine,
            new PrintStream(output, true, StandardCharsets.UTF_8));
  }

  /// Starts on an empty pool; does not wait for the database.
  static TestProvider start(Path home, String... settings) {
    return start(home, new MemoryEngine(), settings);
  }

  static TestProvider start(Path home, StorageEngine engine, String... settings) {
    return new TestProvider(home, engine, List.of(settings));
  }

  /// Waits until calls are answered.
  TestProvider ready() {
    await("the control plane is ready", () -> state() instanceof ControlPlane.Ready);
    return this;
  }

  ControlPlane.State state() {
    return bean(ControlPlane.class).state();
  }

  <T> T bean(Class<T> type) {
    return running.context().getBean(type);
  }

  int vasaPort() {
    return running.vasaPort();
  }

  int managementPort() {
    return running.managementPort();
  }

  Path home() {
    return home;
  }

  String password() {
    return Home.secret(home.resolve("vasa.password"));
  }

  /// What was printed so far.
  String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("expected that " + what + " by now; printed:\n" + output());
      }
      Thread.onSpinWait();
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
  }

  @Override
  public void close() {
    running.close();
  }
}
