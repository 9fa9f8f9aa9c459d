package io.coppice.app;

import io.coppice.app.pool.PoolFolder;
import io.coppice.app.setting.StartupException;
import io.coppice.app.tls.AnyServerTrust;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A start on a pool that is thrown away, with a call of every kind that follows soon after a
/// start. The virtual machine's cache of classes keeps for later starts what the machine loads and
/// compiles meanwhile (decision 34).
public final class Training {

  private static final long MOST_SECONDS = 300;
  private static final List<String> LISTS =
      List.of("containers", "vvols", "vms", "snapshots", "exports", "jobs", "events", "openapi");
  private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

  private final URI api;
  private final String token;
  private final HttpClient http;

  private Training(URI api, String token) throws GeneralSecurityException {
    this.api = api;
    this.token = token;
    // This very process answers, on a port of its own at the loopback address.
    this.http = HttpClient.newBuilder().sslContext(AnyServerTrust.context()).build();
  }

  /// Starts, calls and stops.
  ///
  /// @param home a folder that may be filled
  /// @return the exit status
  public static int run(Path home, PrintStream err) {
    String[] settings = {
      "--coppice.home=" + home,
      // These override the environment: no pool and no database that somebody uses.
      "--coppice.pool.directory=",
      "--coppice.pool.mirror=",
      "--coppice.database.url=",
      "--coppice.database.rebuild=false",
      "--coppice.iscsi.portals=",
      "--coppice.pool.capacity=1GB",
      "--coppice.iscsi.address=127.0.0.1",
      "--coppice.iscsi.port=0",
      "--coppice.vasa.address=127.0.0.1",
      "--coppice.vasa.port=0",
      "--coppice.management.address=127.0.0.1",
      "--coppice.management.port=0"
    };
    try (Application.Running running = Application.start(settings, PoolFolder::open, System.out)) {
      var ready = new CountDownLatch(1);
      running.context().getBean(ControlPlane.class).whenReady(ready::countDown);
      if (!ready.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        err.println("coppice: expected to be ready within %d s".formatted(MOST_SECONDS));
        return 1;
      }
      URI api = URI.create("https://127.0.0.1:%d/api/v1/".formatted(running.managementPort()));
      new Training(api, Files.readString(home.resolve("admin.token")).strip()).call();
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    } catch (StartupException | IOException | GeneralSecurityException e) {
      err.println("coppice: " + e.getMessage());
      return 1;
    }
  }

  private void call() throws IOException, InterruptedException {
    String container = made("containers", "{\"name\": \"training\", \"quota\": 67108864}");
    String volume =
        made(
            "volumes",
            "{\"name\": \"training\", \"size\": 16777216, \"container\": \"%s\"}"
                .formatted(container));
    send("vvols/%s/snapshots?wait=10s".formatted(volume), "{\"name\": \"training\"}");
    for (String list : LISTS) {
      send(list, null);
    }
  }

  private String made(String path, String body) throws IOException, InterruptedException {
    Matcher id = ID.matcher(send(path, body));
    if (!id.find()) {
      throw new IOException("expected an id from " + path);
    }
    return id.group(1);
  }

  private String send(String path, @org.jspecify.annotations.Nullable String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(api.resolve(path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(
                body == null ? "GET" : "POST",
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException("%s: %d %s".formatted(path, response.statusCode(), response.body()));
    }
    return response.body();
  }
}
