package io.coppice.it;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/// The Docker daemon of the container tests, and this build's image in it.
///
/// A class with `@ExtendWith(DockerDaemon.class)` is skipped, and says so, if no daemon answers.
/// Where one does, `.ci/run` expects that none of its tests is skipped.
final class DockerDaemon implements ExecutionCondition {

  private static boolean loaded;

  private DockerDaemon() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return DockerClientFactory.instance().isDockerAvailable()
        ? ConditionEvaluationResult.enabled("a Docker daemon answers")
        : ConditionEvaluationResult.disabled(
            "no Docker daemon answers; docker/local-daemon.sh up starts one");
  }

  /// Whether the daemon has an image, by its name with the version.
  static boolean has(String image) {
    try {
      DockerClientFactory.instance().client().inspectImageCmd(image).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  /// The name of this build's image, which the daemon has afterwards. Another build's image by the
  /// same name is replaced, once for all tests.
  static synchronized String providerImage() {
    String image = "coppice:" + Packages.version();
    if (!loaded || !has(image)) {
      try (InputStream archive = Files.newInputStream(Packages.image())) {
        DockerClientFactory.instance().client().loadImageCmd(archive).exec();
        loaded = true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return image;
  }
}
