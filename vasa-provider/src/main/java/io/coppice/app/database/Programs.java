package io.coppice.app.database;

import java.io.IOException;
import java.io.UncheckedIOException;
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

  /// What a program ended with.
  record Outcome(boolean ok, String lastLine) {}

  /// Runs `bin/name` with arguments.
  Outcome run(Duration patience, String name, String... arguments) {
    List<String> command = new ArrayList<>(account.prefix());
    command.add(binaries.resolve("bin").resolve(name).toString());
    command.addAll(List.of(arguments));
    try {
      long from = Files.exists(log) ? Files.size(log) : 0;
      boolean ok = run(patience, command, ProcessBuilder.Redirect.appendTo(log.toFile())) == 0;
      return new Outcome(ok, lastLine(from));
    } catch (IOException e) {
      return new Outcome(false, e.toString());
    }
  }

  /// Whether a program of the system ends well under an account.
  static boolean succeeds(ServerAccount account, String... command) {
    List<String> all = new ArrayList<>(account.prefix());
    all.addAll(List.of(command));
    try {
      return run(Duration.ofSeconds(10), all, ProcessBuilder.Redirect.DISCARD) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int run(Duration patience, List<String> command, ProcessBuilder.Redirect output)
      throws IOException {
    var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
    // The server writes its own messages; they are read by people and by lastLine.
    builder.environment().put("LC_ALL", "C");
    builder.directory(new java.io.File("/"));
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      process.destroyForcibly();
      throw new IOException("%s did not end within %d s".formatted(command, patience.toSeconds()));
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted while running " + command));
    }
  }

  private String lastLine(long from) throws IOException {
    try (var in = Files.newInputStream(log)) {
      in.skipNBytes(from);
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce("", (_, last) -> last)
          .strip();
    }
  }
}
