package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What I/Os leave to the garbage collector: bytes that all threads of the process allocate, once
/// the code is compiled and there are spare I/Os. On a device that allocates nothing itself.
@Timeout(300)
class AllocationTest {

  /// Bytes for each I/O in the best of the rounds, checkpoints included. The I/O itself needs none;
  /// whatever it allocates, it is one object of 16 bytes or more in each round.
  private static final double MOST = 16;

  /// What the compiler does without differs from process to process, and hangs on what else the
  /// machine does. What the code allocates is there in each of them.
  private static final int PROCESSES = 3;

  @ParameterizedTest
  @EnumSource
  void anIoAllocatesNothing(AllocatingProcess.Kind kind) throws IOException, InterruptedException {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < PROCESSES && least > MOST; i++) {
      least = Math.min(least, least(kind));
    }

    assertThat(least)
        .as("bytes allocated for each I/O, in the best of the rounds")
        .isLessThanOrEqualTo(MOST);
  }

  private static double least(AllocatingProcess.Kind kind)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                AllocatingProcess.class.getName(),
                kind.name(),
                Double.toString(MOST))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    return Double.parseDouble(said.strip().lines().reduce("", (_, line) -> line));
  }
}
