package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The engine's mutations, which `./coppice test mutations` runs one by one: each must still apply
/// to the code of today, and name tests that there are.
class MutationPatchesTest {

  private static final Path PATCHES =
      Repository.root().resolve("storage-engine/engine/src/test/mutations");
  private static final Path TESTS =
      Repository.root().resolve("storage-engine/engine/src/test/java/io/coppice/engine");
  private static final Pattern CAUGHT_BY = Pattern.compile("(?m)^Caught by: (.+)$");

  @Test
  void everyPatchApplies() throws Exception {
    assumeTrue(Files.exists(Repository.root().resolve(".git")), "needs a checkout of git");
    List<String> stale = new ArrayList<>();
    for (Path patch : patches()) {
      Process check =
          new ProcessBuilder("git", "apply", "--check", patch.toString())
              .directory(Repository.root().toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (check.waitFor() != 0) {
        stale.add(patch.getFileName() + ": " + said.strip());
      }
    }

    assertThat(stale).as("patches that do not apply any more: make them again").isEmpty();
  }

  @Test
  void everyPatchNamesTestsThatThereAre() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Path patch : patches()) {
      Matcher caught = CAUGHT_BY.matcher(Repository.read(patch));
      if (!caught.find()) {
        unknown.add(patch.getFileName() + ": no line \"Caught by: \"");
        continue;
      }
      for (String test : caught.group(1).split("[, ]+")) {
        String file = test.split("#")[0].replace('.', '/') + ".java";
        if (!Files.exists(TESTS.resolve(file))) {
          unknown.add(patch.getFileName() + ": " + test);
        }
      }
    }

    assertThat(unknown).as("tests that catch a patch, but are not there").isEmpty();
  }

  private static List<Path> patches() throws IOException {
    try (Stream<Path> files = Files.list(PATCHES)) {
      List<Path> patches =
          files.filter(file -> file.toString().endsWith(".patch")).sorted().toList();
      assertThat(patches).hasSizeGreaterThan(50);
      return patches;
    }
  }
}
