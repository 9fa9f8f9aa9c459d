package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.setting.Home;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.HookedEngine;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The database goes and comes back while a call is between two of its steps.
@Timeout(240)
class DatabaseReturnsTest {

  private static final long GIB = 1L << 30;

  @TempDir Path folder;

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Test
  void recoveryWaitsForTheCallThatTheDatabaseWentAwayUnder() throws Exception {
    MemoryEngine pool = new MemoryEngine();
    HookedEngine hooks = new HookedEngine(pool);
    try (TestProvider provider = TestProvider.start(folder, hooks.engine()).ready()) {
      VolumeId disk = disk(provider);
      standAfter(hooks, "snapshot");

      CompletableFuture<HttpResponse<String>> answer = takeSnapshot(provider, disk);
      inside.await();
      new EmbeddedPostgres(folder, InstantSource.system()).stop();
      provider.await(
          "the loss is noticed", () -> !(provider.state() instanceof ControlPlane.Ready));
      provider.await(
          "the database is back",
          () ->
              provider.output().contains("1 call(s) from before")
                  || provider.state() instanceof ControlPlane.Ready);
      goOn.countDown();
      HttpResponse<String> response = answer.join();
      provider.ready();

      assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
      List<VirtualVolume> taken = provider.bean(Snapshots.class).of(disk);
      assertThat(taken).extracting(VirtualVolume::state).containsExactly(VvolState.READY);
      assertThat(pool.list())
          .extracting(VolumeInfo::id)
          .containsExactlyInAnyOrder(disk, taken.getFirst().id());
    } finally {
      goOn.countDown();
    }
  }

  private static VolumeId disk(TestProvider provider) {
    VasaTask task =
        provider
            .bean(VirtualVolumes.class)
            .create(
                new NewVolume(
                    provider.bean(Containers.class).create("c1", 4 * GIB).id(),
                    VolumeType.DATA,
                    VolumeOrigin.HOST,
                    null,
                    GIB,
                    Map.of()));
    if (task.state() instanceof TaskState.Success(var _, TaskResult.NewVolume(VolumeId disk))) {
      return disk;
    }
    throw new AssertionError("expected a volume, got " + task);
  }

  /// Lets the first call of the engine by that name take effect, and stand.
  private void standAfter(HookedEngine hooks, String call) {
    AtomicBoolean stood = new AtomicBoolean();
    hooks.after(
        call,
        () -> {
          if (!stood.getAndSet(true)) {
            inside.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private static CompletableFuture<HttpResponse<String>> takeSnapshot(
      TestProvider provider, VolumeId disk) throws Exception {
    HttpClient http = HttpClient.newBuilder().sslContext(VasaClient.context(null)).build();
    URI uri =
        URI.create(
            "https://127.0.0.1:%d/api/v1/vvols/%s/snapshots"
                .formatted(provider.managementPort(), disk));
    String token = Home.secret(provider.home().resolve("admin.token"));
    return http.sendAsync(
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"s1\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
