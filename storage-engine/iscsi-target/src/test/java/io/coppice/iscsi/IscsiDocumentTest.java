package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A session says of keys and task management functions what `docs/conformance.md` says, and the
/// tests that `docs/iscsi.md` names exist.
class IscsiDocumentTest {

  private static final Path SOURCES = Path.of("src/main/java/io/coppice/iscsi");
  private static final Path TESTS = Path.of("src/test/java/io/coppice/iscsi");

  private static final Pattern KEY_ROW =
      Pattern.compile(
          "^\\| ([\\w#]+) \\| (supported|refused) \\| ([^|]*)\\| ([^|]*)\\|", Pattern.MULTILINE);
  private static final Pattern FUNCTION_ROW =
      Pattern.compile("^\\| (\\d+) \\| [^|]+ \\| (supported|refused) \\|", Pattern.MULTILINE);
  private static final Pattern CASE = Pattern.compile("case (\"[^>]*?) ?->", Pattern.DOTALL);
  private static final Pattern ASKED = Pattern.compile("(?:get|equals|append)\\([^\")]*\"(\\w+)\"");
  private static final Pattern TEXT = Pattern.compile("\"([\\w#]+)\"");

  /// Values, not keys.
  private static final Set<String> VALUES =
      Set.of("All", "Discovery", "Normal", "Yes", "No", "CRC32C", "None", "NotUnderstood", "CHAP");

  private record Key(String name, String state, String offered, String answered) {}

  private static String document(String name) throws IOException {
    return Files.readString(Path.of("../../docs").resolve(name));
  }

  private static String section(String heading) throws IOException {
    String text = document("conformance.md");
    int start = text.indexOf("## " + heading + "\n");
    assertThat(start).as("where '%s' begins", heading).isNotNegative();
    return text.substring(start, text.indexOf("\n## ", start));
  }

  private static List<Key> keys() throws IOException {
    return KEY_ROW
        .matcher(section("iSCSI keys"))
        .results()
        .map(row -> new Key(row.group(1), row.group(2), plain(row.group(3)), plain(row.group(4))))
        .toList();
  }

  private static String plain(String cell) {
    return cell.replace("`", "").strip();
  }

  private static void withSession(Consumer<ScriptedInitiator> what) {
    RamDisk disk = new RamDisk(TARGET, 1 << 20);
    TargetNode node = ScriptedInitiator.node(disk);
    ScriptedInitiator initiator = new ScriptedInitiator(node);
    what.accept(initiator);
    disk.release();
    initiator.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
  }

  @Test
  void keysAreAnsweredAsTheListSays() throws IOException {
    List<Key> offered = keys().stream().filter(key -> !key.offered().isEmpty()).toList();

    assertThat(offered).hasSizeGreaterThan(25);
    for (Key key : offered) {
      assertThat(key.offered()).startsWith(key.name() + "=");
      withSession(
          initiator -> {
            List<String> answers =
                initiator.login(key.offered()).text().stream()
                    .filter(answer -> answer.startsWith(key.name() + "="))
                    .toList();
            assertThat(answers)
                .as(key.offered())
                .isEqualTo(key.answered().isEmpty() ? List.of() : List.of(key.answered()));
          });
    }
  }

  @Test
  void whatIsRefusedIsNeverAgreedTo() throws IOException {
    assertThat(keys())
        .filteredOn(key -> key.state().equals("refused"))
        .hasSizeGreaterThan(4)
        .allSatisfy(
            key -> assertThat(key.answered()).matches(".*=(No|Reject|Irrelevant|NotUnderstood)"));
  }

  @Test
  void everyKeyOfTheCodeIsInTheList() throws IOException {
    Set<String> listed = keys().stream().map(Key::name).collect(Collectors.toSet());
    Set<String> known = new TreeSet<>();
    for (String file : List.of("login/Negotiation", "login/LoginPhase", "login/ChapExchange")) {
      known.addAll(keysOf(Files.readString(SOURCES.resolve(file + ".java"))));
    }
    known.addAll(keysOf(Files.readString(SOURCES.resolve("session/TextExchange.java"))));
    known.removeAll(VALUES);

    assertThat(known).hasSizeGreaterThan(30).contains("CHAP_A", "SendTargets", "TargetAddress");
    assertThat(listed).containsAll(known);
    assertThat(listed).hasSize(keys().size());
  }

  private static Set<String> keysOf(String source) {
    Set<String> found = new TreeSet<>();
    CASE.matcher(source)
        .results()
        .flatMap(labels -> TEXT.matcher(labels.group(1)).results())
        .forEach(text -> found.add(text.group(1)));
    ASKED.matcher(source).results().forEach(asked -> found.add(asked.group(1)));
    return found;
  }

  @Test
  void taskManagementFunctionsAreAnsweredAsTheListSays() throws IOException {
    List<MatchResult> rows =
        FUNCTION_ROW.matcher(section("Task management functions")).results().toList();

    assertThat(rows).hasSize(12);
    for (MatchResult row : rows) {
      int function = Integer.parseInt(row.group(1));
      if (function == 3) {
        continue; // the device decides, and refuses it: ScsiDocumentTest
      }
      withSession(
          initiator -> {
            initiator.login();
            initiator.manage(0x70, function, 0, 0);
            int response = initiator.receive().unsignedByte(2);
            boolean supported = row.group(2).equals("supported");
            assertThat(response == 4 || response == 5 || response == 255)
                .as("function %d was answered %d", function, response)
                .isEqualTo(!supported);
          });
    }
  }

  /// `L.method`, where a letter at the top of the document stands for a class.
  @Test
  void everyTestThatTheDocumentNamesExists() throws IOException {
    String text = document("iscsi.md");
    Map<String, String> classes = new HashMap<>();
    Pattern.compile("`([A-Z])` = `([\\w.]+)`")
        .matcher(text)
        .results()
        .forEach(letter -> classes.put(letter.group(1), letter.group(2).replace('.', '/')));
    assertThat(classes).hasSizeGreaterThan(5);
    List<String> missing = new ArrayList<>();
    for (MatchResult name : Pattern.compile("`(\\w+)\\.(\\w+)`").matcher(text).results().toList()) {
      String type = classes.getOrDefault(name.group(1), name.group(1));
      if (type.length() > 1 && !type.endsWith("Test")) {
        continue; // code, not a test
      }
      if (!sources(type).contains(" " + name.group(2) + "(")) {
        missing.add(name.group());
      }
    }

    assertThat(missing).isEmpty();
  }

  private static String sources(String type) throws IOException {
    try (Stream<Path> files = Files.walk(TESTS.getParent())) {
      Path found =
          files
              .filter(file -> file.toString().endsWith("/" + type + ".java"))
              .findFirst()
              .orElse(null);
      return found == null ? "" : Files.readString(found);
    }
  }
}
