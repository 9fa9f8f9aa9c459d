package io.coppice.vasa.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A folder of this process for what no test removes by itself. It goes with the process.
final class TestFolder {

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final Path ALL = made();

  private TestFolder() {}

  private static Path made() {
    try {
      Path folder = Files.createTempDirectory("coppice-tests");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An empty folder that nobody else uses.
  static Path fresh() {
    try {
      return Files.createDirectory(ALL.resolve("" + NEXT.incrementAndGet()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
