package io.coppice.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedFolderTest {

  @TempDir private Path parent;

  @Test
  void processesThatAskAtOnceFillItOnceAndFindItWhole() throws Exception {
    Path folder = parent.resolve("made/once");
    Path fillings = Files.createFile(parent.resolve("fillings"));
    List<Process> asking = new ArrayList<>();
    try {
      for (int each = 0; each < 3; each++) {
        asking.add(
            new ProcessBuilder(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Asking.class.getName(),
                    folder.toString(),
                    fillings.toString())
                .inheritIO()
                .start());
      }
      for (Process each : asking) {
        assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(each.exitValue()).isZero();
      }
    } finally {
      asking.forEach(Process::destroyForcibly);
    }
    assertThat(fillings).hasContent("filled\n");
  }

  @Test
  void anotherKeyAndAFillingThatFailedFillItAnew() throws IOException {
    Path folder = parent.resolve("folder");
    Path content = folder.resolve("content");
    SharedFolder.fill(folder, "a", () -> Files.writeString(content, "of a"));
    SharedFolder.fill(folder, "a", () -> Files.writeString(content, "not asked for"));
    assertThat(content).hasContent("of a");

    assertThatThrownBy(
            () ->
                SharedFolder.fill(
                    folder,
                    "b",
                    () -> {
                      throw new IOException("on purpose");
                    }))
        .hasMessage("on purpose");
    assertThat(content).doesNotExist();

    SharedFolder.fill(folder, "b", () -> Files.writeString(content, "of b"));
    assertThat(content).hasContent("of b");
  }

  /// A process that asks for the folder and looks whether it is whole.
  static final class Asking {

    private Asking() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      Path content = folder.resolve("content");
      SharedFolder.fill(folder, "key", () -> fill(content, Path.of(arguments[1])));
      if (!Files.readString(content).equals("whole")) {
        throw new IllegalStateException("expected a whole content, got part of it");
      }
    }

    private static void fill(Path content, Path fillings) throws IOException {
      Files.writeString(fillings, "filled\n", StandardOpenOption.APPEND);
      for (String part : List.of("w", "h", "o", "l", "e")) {
        Files.writeString(content, part, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        pause();
      }
    }

    /// Leaves the other processes time to come.
    private static void pause() {
      try {
        TimeUnit.MILLISECONDS.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
