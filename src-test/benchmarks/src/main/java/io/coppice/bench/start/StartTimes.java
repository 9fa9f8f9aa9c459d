package io.coppice.bench.start;

import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Seconds from the start of a process until it was seen to serve.
///
/// @param iscsi an iSCSI login and a list of targets were answered
/// @param vasa the VASA port took a connection
/// @param rest the control plane answered a call: every port serves
record StartTimes(double iscsi, double vasa, double rest) {

  private static final Duration MOST = Duration.ofMinutes(10);
  private static final long PAUSE_MILLIS = 10;

  /// Starts the provider and watches it.
  ///
  /// @throws Mismatch if it does not serve within ten minutes
  static StartTimes of(ProviderProcess provider) {
    long begin = System.nanoTime();
    provider.start();
    try (ExecutorService watchers = Executors.newVirtualThreadPerTaskExecutor()) {
      var iscsi = seen(watchers, begin, () -> logsIn(provider));
      var vasa = seen(watchers, begin, () -> connects(provider.vasa().getPort()));
      var rest = seen(watchers, begin, new Answers(provider));
      return new StartTimes(iscsi.join(), vasa.join(), rest.join());
    }
  }

  private static CompletableFuture<Double> seen(
      ExecutorService watchers, long begin, BooleanSupplier serves) {
    return CompletableFuture.supplyAsync(
        () -> {
          while (!serves.getAsBoolean()) {
            if (System.nanoTime() - begin > MOST.toNanos()) {
              throw new Mismatch("expected the provider to serve within " + MOST);
            }
            pause();
          }
          return (System.nanoTime() - begin) / 1e9;
        },
        watchers);
  }

  private static boolean connects(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean logsIn(ProviderProcess provider) {
    if (!connects(provider.portal().getPort())) {
      return false;
    }
    try {
      var login = LoginSettings.of("iqn.2026-11.io.coppice:bench-start", 1);
      Discovery.sendTargets(provider.portal(), login); // a stranger gets none
      return true;
    } catch (RuntimeException e) { // whatever it is: it does not serve yet
      return false;
    }
  }

  /// An observer of REST, asking as one client.
  private static final class Answers implements BooleanSupplier {

    private final ProviderProcess provider;
    private @Nullable RestClient rest;

    Answers(ProviderProcess provider) {
      this.provider = provider;
    }

    /// A look whether the ports are free opens them for a moment, before there are secrets.
    @Override
    public boolean getAsBoolean() {
      if (!connects(provider.management().getPort())
          || !Files.exists(provider.home().resolve("admin.token"))) {
        return false;
      }
      try {
        RestClient client = rest;
        if (client == null) {
          client = new RestClient(provider.management(), provider.adminToken());
          rest = client;
        }
        client.get("containers?limit=1");
        return true;
      } catch (Mismatch e) {
        return false;
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while waiting for the provider", e);
    }
  }
}
