package io.coppice.app.tool.bundle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/// The ends of logs, from the beginning of a line on.
final class LogTail {

  private static final int JOURNAL_LINES = 50_000;

  private LogTail() {}

  /// @param most bytes
  /// @throws IOException if it is no file that can be read
  static String of(Path file, long most) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("it is no file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long from = Math.max(0, channel.size() - most);
      ByteBuffer bytes = ByteBuffer.allocate((int) (Math.min(channel.size(), most)));
      int n = 0;
      while (n >= 0 && bytes.hasRemaining()) {
        n = channel.read(bytes, from + bytes.position());
      }
      return wholeLines(
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8), from);
    }
  }

  /// What the service has logged, where systemd keeps it.
  ///
  /// @throws IOException if it does not
  static String ofService(long most) throws IOException {
    Process process =
        new ProcessBuilder(
                "journalctl",
                "--unit=coppice",
                "--no-pager",
                "--quiet",
                "--output=short-iso",
                "--lines=" + JOURNAL_LINES)
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(1, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("journalctl says: " + all.strip());
      }
      if (all.isBlank()) {
        throw new IOException("the journal has nothing of the service coppice");
      }
      long cut = Math.max(0, all.length() - most);
      return wholeLines(all.substring((int) cut), cut);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("it took too long", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String wholeLines(String text, long from) {
    int first = text.indexOf('\n');
    return from == 0 || first < 0 ? text : text.substring(first + 1);
  }
}
