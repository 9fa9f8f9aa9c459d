package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The start that the cache of classes is made from.
class TrainingTest {

  @Test
  void startsAnswersItsOwnCallsAndStops(@TempDir Path folder) {
    assertThat(Training.run(folder.resolve("home"), System.err)).isZero();
  }
}
