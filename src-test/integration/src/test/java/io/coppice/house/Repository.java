package io.coppice.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The checkout that the tests run in.
final class Repository {

  private Repository() {}

  /// The folder with the parent POM.
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("vasa-provider/pom.xml"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("expected to run inside the checkout");
      }
    }
    return folder;
  }

  /// Every hand-written Java file of the checkout.
  static List<Path> javaFiles() {
    return files(".java");
  }

  /// Every Markdown file of the checkout.
  static List<Path> documents() {
    return files(".md");
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(String ending) {
    Path root = root();
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(file -> file.toString().endsWith(ending))
          .filter(
              file -> {
                String path = root.relativize(file).toString();
                return !path.startsWith(".")
                    && Stream.of("/target/", "/node_modules/").noneMatch(("/" + path)::contains);
              })
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
