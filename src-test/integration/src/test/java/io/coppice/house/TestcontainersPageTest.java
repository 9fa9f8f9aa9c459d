package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/testcontainers.md` and the example project say the same, of this version. The example
/// itself is compiled and run by `ExampleProjectIT`.
class TestcontainersPageTest {

  private static final Path EXAMPLE = Repository.root().resolve("src-test/testcontainers/example");

  private final String page = Repository.read(Repository.root().resolve("docs/testcontainers.md"));

  @Test
  void theFirstTestIsTheOneOfTheExample() {
    String first =
        Repository.read(EXAMPLE.resolve("src/test/java/com/example/backup/FirstTest.java"));

    assertThat(page).contains("```java\n" + first + "```\n");
  }

  @Test
  void pageAndExampleNameTheVersionOfThisBuild() {
    String version = firstVersion(Repository.read(Repository.root().resolve("pom.xml")));
    String artifact = "<artifactId>coppice-testcontainers</artifactId>";
    String example = Repository.read(EXAMPLE.resolve("pom.xml"));

    assertThat(firstVersion(page.substring(page.indexOf(artifact)))).isEqualTo(version);
    assertThat(firstVersion(example.substring(example.indexOf(artifact)))).isEqualTo(version);
    assertThat(page).contains("coppice-%s-image.tar".formatted(version));
  }

  private static String firstVersion(String text) {
    Matcher version = Pattern.compile("<version>(.*)</version>").matcher(text);
    assertThat(version.find()).isTrue();
    return version.group(1);
  }
}
