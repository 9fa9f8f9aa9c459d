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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A session says of keys and task management functions what `docs/conformance.md` says, and the
/// tests that `docs/iscsi.md` names exist.
class IscsiDocumentTest {

  private static final Path SOURCES = Path.of("src/main/java/io/coppice/iscsi");
  private static final Path TESTS = Path.of("src/test/java/io/coppice/iscsi");

  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| ([^|]+) \\|[^|]*\\|");
  private static final Pattern KEY =
      Pattern.compile("`([\\w#]+)(=[^`]+)?`(?: → (?:`([^`]+)`|no answer))?(?:: .*)?");
  private static final Pattern FUNCTION = Pattern.compile("(\\d+) [A-Z_ ]+");
  private static final Pattern REFUSED = Pattern.compile("refused: response (\\d+), .*");
  private static final Pattern CASE = Pattern.compile("case (\"[^>]*?) ?->", Pattern.DOTALL);
  private static final Pattern ASKED = Pattern.compile("(?:get|equals|append)\\([^\")]*\"(\\w+)\"");
  private static final Pattern TEXT = Pattern.compile("\"([\\w#]+)\"");

  /// Values, not keys.
  private static final Set<String> VALUES =
      Set.of("All", "Discovery", "Normal", "Yes", "No", "CRC32C", "None", "NotUnderstood", "CHAP");

  /// A key as the page lists it.
  ///
  /// @param offered what an initiator sends, with the key; empty if no test sends it
  /// @param answered the target's answer to it, with the key; empty for none
  private record Key(String name, boolean isRefused, String offered, String answered) {}

  /// An entry of a list of the page, with what its row is about.
  private record Entry(String kind, String text) {}

  private static String document(String name) throws IOException {
    return Files.readString(Path.of("../../docs").resolve(name));
  }

  /// The entries of the list below a heading, which stand in its rows between semicolons.
  private static List<Entry> entries(String heading) throws IOException {
    String text = document("conformance.md");
    int start = text.indexOf("\n| Kind | " + heading + " | Tests |\n");
    assertThat(start).as("where the list of '%s' begins", heading).isNotNegative();
    List<Entry> entries = new ArrayList<>();
    text.substring(start, text.indexOf("\n\n", start))
        .lines()
        .skip(3) // a line break, the head, and the dashes
        .map(ROW::matcher)
        .forEach(
            row -> {
              assertThat(row.matches()).as("%s", row).isTrue();
              for (String entry : row.group(2).split("; ", -1)) {
                entries.add(new Entry(row.group(1), entry));
              }
            });
    return entries;
  }

  private static List<Key> keys() throws IOException {
    return entries("iSCSI keys").stream().map(IscsiDocumentTest::key).toList();
  }

  private static Key key(Entry entry) {
    Matcher key = KEY.matcher(entry.text());
    assertThat(key.matches()).as(entry.text()).isTrue();
    String name = key.group(1);
    return new Key(
        name,
        entry.kind().startsWith("refused"),
        key.group(2) == null ? "" : name + key.group(2),
        key.group(3) == null ? "" : name + "=" + key.group(3));
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
        .filteredOn(Key::isRefused)
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
    List<Entry> functions = entries("Task management functions");

    assertThat(functions).hasSize(12);
    for (Entry entry : functions) {
      Matcher function = FUNCTION.matcher(entry.text());
      assertThat(function.matches()).as(entry.text()).isTrue();
      int code = Integer.parseInt(function.group(1));
      if (code == 3) {
        continue; // the device decides, and refuses it: ScsiDocumentTest
      }
      withSession(
          initiator -> {
            initiator.login();
            initiator.manage(0x70, code, 0, 0);
            assertAnswered(entry, initiator.receive().unsignedByte(2));
          });
    }
  }

  private static void assertAnswered(Entry function, int response) {
    Matcher refused = REFUSED.matcher(function.kind());
    if (refused.matches()) {
      assertThat(response).as(function.text()).isEqualTo(Integer.parseInt(refused.group(1)));
    } else {
      assertThat(function.kind()).isEqualTo("supported");
      assertThat(response).as(function.text()).isNotIn(4, 5, 255);
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
