package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `docs/on-disk-format.md` says of each structure what the type that decodes it says of itself.
class FormatDocumentTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        BatchHeader.class,
        BlockAddress.class,
        BlockBits.class,
        Change.class,
        Chunk.class,
        LeafRuns.class,
        LogPosition.class,
        LogRecord.class,
        NodeImage.class,
        PageImage.class,
        PlacementBits.class,
        StructureHeader.class,
        Superblock.class,
        OldBlocks.class
      })
  void thePageHasEveryParagraphAndRowOfTheType(Class<?> type) throws IOException {
    Path engine = Path.of("").toAbsolutePath();
    String source = Files.readString(engine.resolve(sourceOf(type)));
    String page = plain(Files.readString(engine.resolve("../../docs/on-disk-format.md")));

    List<String> paragraphs = paragraphs(source);
    assertThat(paragraphs).as("what %s says of itself", type).isNotEmpty();
    assertThat(paragraphs)
        .allSatisfy(paragraph -> assertThat(page.contains(paragraph)).as(paragraph).isTrue());
  }

  private static String sourceOf(Class<?> type) {
    return "src/main/java/%s.java".formatted(type.getName().replace('.', '/'));
  }

  /// Those of the comment above the type: it begins at the margin, and ends with its parameters.
  private static List<String> paragraphs(String source) {
    List<String> found = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    for (String line : source.lines().filter(each -> each.startsWith("///")).toList()) {
      String text = line.substring(3).strip();
      if (text.startsWith("@")) {
        break;
      }
      paragraph.append(text).append('\n');
      if (text.isEmpty()) {
        found.add(plain(paragraph.toString()));
        paragraph.setLength(0);
      }
    }
    found.add(plain(paragraph.toString()));
    found.removeIf(String::isEmpty);
    return found;
  }

  /// Without line breaks, and without what marks names in either.
  private static String plain(String text) {
    return text.replaceAll("[\\[\\]`]", "").replaceAll("\\s+", " ").strip();
  }
}
