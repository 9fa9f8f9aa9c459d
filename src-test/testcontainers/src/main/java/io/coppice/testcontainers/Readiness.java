package io.coppice.testcontainers;

import com.github.dockerjava.api.exception.DockerException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategyTarget;

/// The wait until a provider serves volumes and answers calls. It ends at once if the container
/// does.
final class Readiness extends AbstractWaitStrategy {

  private static final long PAUSE_NANOS = 200_000_000;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private @Nullable Management management;

  @Override
  protected void waitUntilReady() {
    long end = System.nanoTime() + startupTimeout.toNanos();
    try {
      String obstacle = obstacle();
      while (!obstacle.isEmpty()) {
        if (System.nanoTime() - end > 0) {
          throw new ContainerLaunchException(
              "it is not ready after %d s: %s".formatted(startupTimeout.toSeconds(), obstacle));
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        obstacle = obstacle();
      }
    } finally {
      if (management != null) {
        management.close();
        management = null;
      }
    }
  }

  /// The reason why the provider is not ready yet; empty if it is.
  private String obstacle() {
    requireRunning(waitStrategyTarget);
    try {
      Management reached = management;
      if (reached == null) {
        reached = Management.of(waitStrategyTarget);
        management = reached;
      }
      HttpResponse<String> answer = ask(reached);
      return answer.statusCode() == 200
          ? ""
          : "/readyz answers %d: %s".formatted(answer.statusCode(), answer.body());
    } catch (IOException | IllegalStateException | DockerException e) {
      return e.toString();
    }
  }

  private static void requireRunning(WaitStrategyTarget target) {
    var state = target.getCurrentContainerInfo().getState();
    if (!Boolean.TRUE.equals(state.getRunning())) {
      throw new ContainerLaunchException(
          "it ended with exit status %d".formatted(state.getExitCodeLong()));
    }
  }

  private static HttpResponse<String> ask(Management management) throws IOException {
    HttpClient http = management.http();
    HttpRequest request =
        HttpRequest.newBuilder(management.address().resolve("/readyz")).timeout(CALL_LIMIT).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContainerLaunchException("interrupted while waiting for /readyz", e);
    }
  }
}
