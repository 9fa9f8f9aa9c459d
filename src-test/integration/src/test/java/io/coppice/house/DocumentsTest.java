package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Documents that a reader can follow: links that lead somewhere, and lines that fit.
class DocumentsTest {

  private static final int MAX_CHARACTERS = 120;
  private static final Pattern LINK =
      Pattern.compile(
          "(?:\\]\\(|^\\s*\\[[^\\]]+\\]:\\s*)(?!https?:|mailto:)([^)#\\s]*)(?:#([^)\\s]*))?");

  @Test
  void everyLinkLeadsToAFileAndToAHeadingInIt() {
    List<String> dead = new ArrayList<>();
    for (Path document : Repository.documents()) {
      dead.addAll(deadLinks(document));
    }

    assertThat(dead)
        .as(
            "dead links in documents: name a file that there is, and a heading of it as GitHub"
                + " does")
        .isEmpty();
  }

  @Test
  void noLineIsLongerThanTheLimit() {
    List<String> wide = new ArrayList<>();
    for (Path document : Repository.documents()) {
      wide.addAll(wideLines(document));
    }

    assertThat(wide)
        .as(
            "lines of more than %d characters outside of tables and code blocks: break them",
            MAX_CHARACTERS)
        .isEmpty();
  }

  @Test
  void aDeadLinkAndAWideLineAreFound(@TempDir Path folder) throws Exception {
    Path other =
        Files.writeString(folder.resolve("other.md"), "# A `b`: c/d\n\n## e_f\n\n## e_f\n");
    String wide = "word ".repeat(25);
    Path document =
        Files.writeString(
            folder.resolve("one.md"),
            """
            # One
            [a](other.md#a-b-cd) [b](other.md#e_f-1) [c](#one) [d](.) `[e](nowhere)`
            [f](other.md#g) [h](nowhere.md) [i](#two) [j](other.md#e_f-2)
            %s
            | %s |
            - https://example.com/%s
            ```
            %s [k](nowhere)
            ```
            """
                .formatted(wide, wide, "x".repeat(120), wide));

    assertThat(other).exists();
    assertThat(deadLinks(document))
        .containsExactly(
            "one.md:3 -> other.md#g",
            "one.md:3 -> nowhere.md",
            "one.md:3 -> #two",
            "one.md:3 -> other.md#e_f-2");
    assertThat(wideLines(document)).containsExactly("one.md:4: 125 characters");
  }

  private static List<String> deadLinks(Path document) {
    List<String> dead = new ArrayList<>();
    for (MarkdownLine line : MarkdownLine.of(document)) {
      Matcher link = LINK.matcher(line.isCode() ? "" : line.withoutCodeSpans());
      while (link.find()) {
        Path file = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
        Optional<String> anchor = Optional.ofNullable(link.group(2));
        if (!Files.exists(file) || anchor.isPresent() && !hasAnchor(file, anchor.get())) {
          dead.add(
              "%s:%d -> %s%s"
                  .formatted(
                      document.getFileName(),
                      line.number(),
                      link.group(1),
                      anchor.map(name -> "#" + name).orElse("")));
        }
      }
    }
    return dead;
  }

  /// Lines of a source file have anchors, too: `#L12`.
  private static boolean hasAnchor(Path file, String anchor) {
    return file.toString().endsWith(".md")
        ? MarkdownLine.anchors(file).contains(anchor)
        : anchor.matches("L\\d+(-L\\d+)?");
  }

  private static List<String> wideLines(Path document) {
    return MarkdownLine.of(document).stream()
        .filter(line -> line.characters() > MAX_CHARACTERS)
        .filter(line -> !line.isCode() && !line.isTable() && line.canBeBroken())
        .map(
            line ->
                "%s:%d: %d characters"
                    .formatted(document.getFileName(), line.number(), line.characters()))
        .toList();
  }
}
