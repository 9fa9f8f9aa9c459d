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

  @Override
  protected void waitUntilReady() {
    long end = System.nanoTime() + startupTimeout.toNanos();
    String last = "it has not made its certificates";
    @Nullable Management management = null;
    try {
      while (true) {
        requireRunning(waitStrategyTarget);
        try {
          if (management == null) {
            management = Management.of(waitStrategyTarget);
          }
          HttpResponse<String> answer = ask(management);
          if (answer.statusCode() == 200) {
            return;
          }
          last = "/readyz answers %d: %s".formatted(answer.statusCode(), answer.body());
        } catch (IOException | IllegalStateException | DockerException e) {
          last = e.toString();
        }
        if (System.nanoTime() - end > 0) {
          throw new ContainerLaunchException(
              "it is not ready after %d s: %s".formatted(startupTimeout.toSeconds(), last));
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } finally {
      if (management != null) {
        management.close();
      }
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
