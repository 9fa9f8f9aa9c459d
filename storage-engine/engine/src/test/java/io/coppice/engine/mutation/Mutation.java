package io.coppice.engine.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// A patch that makes the engine wrong.
///
/// @param name the patch's file name without `.patch`
/// @param meaning its first line: what goes wrong
/// @param tests from its line "Caught by: ", simple names of classes in `io.coppice.engine`
record Mutation(String name, String meaning, List<String> tests, Path patch) {

  private static final String TESTS = "Caught by: ";

  static Mutation read(Path patch) throws IOException {
    List<String> lines = Files.readAllLines(patch);
    List<String> tests =
        lines.stream()
            .filter(line -> line.startsWith(TESTS))
            .flatMap(line -> Arrays.stream(line.substring(TESTS.length()).split(", *")))
            .toList();
    if (tests.isEmpty()) {
      throw new IOException("expected a line \"%s...\" in %s".formatted(TESTS, patch));
    }
    String name = patch.getFileName().toString().replace(".patch", "");
    return new Mutation(name, lines.getFirst(), tests, patch);
  }
}
