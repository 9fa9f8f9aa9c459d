package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Comments of types that say what a type is, with its noun first.
class CommentsTest {

  private static final Pattern TYPE =
      Pattern.compile(
          "\\s*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "(?:class|record|interface|enum|@interface)\\s+(\\w+).*");

  private static final Pattern RIDDLE =
      Pattern.compile("(What|Who|Whom|Which|How|Where|Whose|When|Whether|If|As)\\b.*");

  @Test
  void aCommentOfATypeBeginsWithANoun() {
    List<String> riddles = new ArrayList<>();
    for (Path file : Repository.javaFiles()) {
      if (file.toString().contains("src/main/java")) {
        riddles.addAll(riddles(file.getFileName().toString(), Repository.read(file)));
      }
    }

    assertThat(riddles)
        .as(
            "comments of types that begin with a question word: begin with the noun that names the"
                + " thing, as in \"A zone ...\" or \"The queue of ...\"")
        .isEmpty();
  }

  @Test
  void aRiddleIsFoundBeforeAnnotationsAndInsideOfTypes() {
    String source =
        """
        /// What a zone is.
        ///
        /// Which is explained.
        @SuppressWarnings("unused")
        final class Zone {
          /// Asks for something.
          void ask() {}

          /// How it ends.
          private record End(int at) {}

          /// When it begins.
          void begin() {}
        }

        /// A row. What it holds is said below.
        interface Row {}
        """;

    assertThat(riddles("Zone.java", source))
        .containsExactly("Zone.java:5 Zone: What a zone is.", "Zone.java:10 End: How it ends.");
  }

  private static List<String> riddles(String name, String source) {
    List<String> found = new ArrayList<>();
    String first = "";
    boolean inComment = false;
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith("///")) {
        first = inComment ? first : line.substring(3).strip();
        inComment = true;
        continue;
      }
      inComment = false;
      Matcher type = TYPE.matcher(lines.get(i));
      if (type.matches() && RIDDLE.matcher(first).matches()) {
        found.add("%s:%d %s: %s".formatted(name, i + 1, type.group(1), first));
      }
      // Annotations may stand between the comment and its type.
      first = line.startsWith("@") && !type.matches() ? first : "";
    }
    return found;
  }
}
