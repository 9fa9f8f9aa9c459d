package io.coppice.app.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// PostgreSQL's programs, run to their end.
final class Programs {

  private final Path binaries;
  private final ServerAccount account;
  private final Path log;

  /// @param binaries folder with `bin`, `lib` and `share`
  /// @param log file that takes what the programs print
  Programs(Path binaries, ServerAccount account, Path log) {
    this.binaries = binaries;
    this.account = account;
    this.log = log;
  }

  /// The outcome of a program.
  record Outcome(boolean ok, String lastLine) {}

  /// Runs `bin/name` with arguments.
  Outcome run(Duration patience, String name, String... arguments) {
    return logged(patience, new Task(command(name, arguments), "", toLog(), toLog()));
  }

  /// Runs `bin/name` with arguments on some input. Drops its output but keeps its complaints.
  ///
  /// @param input at most what a pipe holds
  Outcome feed(Duration patience, String input, String name, String... arguments) {
    return logged(
        patience,
        new Task(command(name, arguments), input, ProcessBuilder.Redirect.DISCARD, toLog()));
  }

  /// A command with its input and the destination of its output.
  private record Task(
      List<String> command,
      String input,
      ProcessBuilder.Redirect output,
      ProcessBuilder.Redirect errors) {}

  private List<String> command(String name, String... arguments) {
    List<String> command = new ArrayList<>(account.prefix());
    command.add(binaries.resolve("bin").resolve(name).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private ProcessBuilder.Redirect toLog() {
    return ProcessBuilder.Redirect.appendTo(log.toFile());
  }

  private Outcome logged(Duration patience, Task task) {
    try {
      long from = Files.exists(log) ? Files.size(log) : 0;
      boolean ok = run(patience, task) == 0;
      return new Outcome(ok, lastLine(from));
    } catch (IOException e) {
      return new Outcome(false, e.toString());
    }
  }

  /// Whether a program of the system ends well under an account.
  static boolean succeeds(ServerAccount account, String... command) {
    List<String> all = new ArrayList<>(account.prefix());
    all.addAll(List.of(command));
    ProcessBuilder.Redirect nowhere = ProcessBuilder.Redirect.DISCARD;
    try {
      return run(Duration.ofSeconds(10), new Task(all, "", nowhere, nowhere)) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int run(Duration patience, Task task) throws IOException {
    var builder =
        new ProcessBuilder(task.command())
            .redirectOutput(task.output())
            .redirectError(task.errors());
    // The server sets its own language of messages; people and lastLine read these.
    builder.environment().put("LC_ALL", "C");
    builder.directory(new java.io.File("/"));
    Process process = builder.start();
    try (var in = process.getOutputStream()) {
      in.write(task.input().getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The program has ended already, and its exit status shows why.
    }
    try {
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      process.destroyForcibly();
      throw new IOException(
          "%s did not end within %d s".formatted(task.command(), patience.toSeconds()));
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(
          new IOException("interrupted while running " + task.command()));
    }
  }

  private String lastLine(long from) throws IOException {
    try (var in = Files.newInputStream(log)) {
      in.skipNBytes(Math.min(from, Files.size(log))); // less if it was shortened meanwhile
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce("", (_, last) -> last)
          .strip();
    }
  }
}
