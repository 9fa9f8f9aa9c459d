package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Libraries that the parent POM pins: each is one that some module uses, since a pin that nobody
/// uses looks like a choice that was made. (The build itself holds each dependency of a module
/// against the module's classes: `dependency:analyze-only` in the parent POM.)
class LibrariesTest {

  private static final Pattern MANAGED =
      Pattern.compile(
          "<dependency>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>\\s*"
              + "<version>[^<]*</version>(?!\\s*<type>pom)",
          Pattern.DOTALL);
  private static final Pattern PINNED = Pattern.compile("<([a-zA-Z-]+\\.version)>");

  @Test
  void everyPinnedLibraryIsUsedByAModule() throws IOException {
    String parent = Repository.read(Repository.root().resolve("pom.xml"));
    int end = parent.indexOf("</dependencyManagement>");
    String uses = parent.substring(end) + String.join("", modules());
    Set<String> unused = new TreeSet<>();
    Matcher managed = MANAGED.matcher(parent.substring(0, end));
    int seen = 0;
    while (managed.find()) {
      seen++;
      if (!uses.contains("<artifactId>" + managed.group(1) + "</artifactId>")) {
        unused.add(managed.group(1));
      }
    }

    assertThat(seen).isGreaterThan(5);
    assertThat(unused)
        .as("libraries that the parent POM pins and no module uses: delete the pin")
        .isEmpty();
  }

  @Test
  void everyPinnedVersionIsReferredTo() throws IOException {
    String parent = Repository.read(Repository.root().resolve("pom.xml"));
    String all = parent + String.join("", modules());
    Set<String> unused = new TreeSet<>();
    Matcher pinned = PINNED.matcher(parent);
    while (pinned.find()) {
      // The build's own properties are read by plugins.
      if (!all.contains("${" + pinned.group(1) + "}") && !pinned.group(1).equals("java.version")) {
        unused.add(pinned.group(1));
      }
    }

    assertThat(unused).as("versions that nothing refers to: delete them").isEmpty();
  }

  private static List<String> modules() throws IOException {
    Path root = Repository.root();
    try (Stream<Path> all = Files.walk(root, 3)) {
      return all.filter(file -> file.endsWith("pom.xml") && !file.equals(root.resolve("pom.xml")))
          .filter(file -> !root.relativize(file).toString().contains("target"))
          .map(Repository::read)
          .toList();
    }
  }
}
