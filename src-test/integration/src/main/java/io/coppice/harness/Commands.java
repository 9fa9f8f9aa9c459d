package io.coppice.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Programs of the machine that the demo uses where they exist.
public final class Commands {

  private static final List<String> SYSTEM_FOLDERS =
      List.of("/usr/sbin", "/sbin", "/usr/local/sbin");

  private Commands() {}

  /// The exit code and the output of a program.
  public record Outcome(int exitCode, String output) {}

  public static boolean exists(String program) {
    return !locate(program).isEmpty();
  }

  /// Where a program is; empty if it is not there.
  public static String path(String program) {
    return locate(program);
  }

  /// Runs a program to its end, its output and errors together.
  ///
  /// @throws Mismatch if it does not end within `timeoutSeconds`
  public static Outcome run(int timeoutSeconds, List<String> command) {
    Ended ended = runToEnd(timeoutSeconds, command);
    if (ended.late()) {
      throw new Mismatch("expected %s to end within %d s".formatted(command, timeoutSeconds));
    }
    return ended.outcome();
  }

  /// As [#run], but a program that does not end in time is ended: its output until then counts.
  public static String runAtMost(int timeoutSeconds, List<String> command) {
    return runToEnd(timeoutSeconds, command).outcome().output();
  }

  private record Ended(Outcome outcome, boolean late) {}

  private static Ended runToEnd(int timeoutSeconds, List<String> command) {
    List<String> located = new java.util.ArrayList<>(command);
    located.set(0, locate(command.getFirst()));
    try {
      Path output = Files.createTempFile("coppice-command", ".txt");
      Process process =
          new ProcessBuilder(located)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean late = !process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
      if (late) {
        process.destroyForcibly().waitFor();
      }
      String text = Files.readString(output, StandardCharsets.ISO_8859_1);
      Files.delete(output);
      return new Ended(new Outcome(process.exitValue(), text), late);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while running " + command, e);
    }
  }

  /// As [#run], and the exit code must be 0.
  public static String require(int timeoutSeconds, String... command) {
    Outcome outcome = run(timeoutSeconds, List.of(command));
    if (outcome.exitCode() != 0) {
      throw new Mismatch(
          "expected %s to succeed, it ended with %d: %s"
              .formatted(String.join(" ", command), outcome.exitCode(), outcome.output().strip()));
    }
    return outcome.output();
  }

  private static String locate(String program) {
    if (Path.of(program).isAbsolute()) {
      return program;
    }
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return Path.of(folder, program).toString();
      }
    }
    for (String folder : SYSTEM_FOLDERS) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return Path.of(folder, program).toString();
      }
    }
    return "";
  }
}
