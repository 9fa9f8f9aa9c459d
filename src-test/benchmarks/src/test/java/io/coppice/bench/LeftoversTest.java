package io.coppice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.Folders;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

  @Test
  void leftoversAreUndoneFromTheLastToTheFirstWhateverFails() {
    StringBuilder undone = new StringBuilder();
    Leftovers leftovers = new Leftovers();
    leftovers.add("undo a", () -> undone.append('a'));
    int mark = leftovers.mark();
    leftovers.add("undo b", () -> undone.append('b'));
    leftovers.add(
        "undo c",
        () -> {
          undone.append('c');
          throw new IOException("on purpose");
        });

    leftovers.undoTo(mark);
    assertThat(undone).hasToString("cb");
    leftovers.close();
    assertThat(undone).hasToString("cba");
  }

  @Test
  void benchmarkThatIsToldToEndLeavesNoFolder(@TempDir Path folder) throws Exception {
    Path pool = folder.resolve("bench/pool");
    Process bench =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                EndlessBench.class.getName(),
                pool.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = bench.inputReader()) {
      assertThat(said.readLine()).isEqualTo("made");
      assertThat(pool).exists();

      bench.destroy();

      assertThat(bench.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.getParent()).doesNotExist();
    } finally {
      bench.destroyForcibly();
    }
  }

  /// A benchmark that runs until it is told to end.
  static final class EndlessBench {

    private EndlessBench() {}

    public static void main(String[] arguments) throws Exception {
      Path pool = Path.of(arguments[0]);
      try (Leftovers leftovers = new Leftovers()) {
        leftovers.add("delete the folder", () -> Folders.delete(pool.getParent()));
        Files.createDirectory(pool.getParent());
        Files.writeString(pool, "a pool");
        System.out.println("made");
        Thread.sleep(Long.MAX_VALUE);
      }
    }
  }
}
