package io.coppice.vasa.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The texts of message ids: each id that the code can send stands in the catalog of each locale.
class FaultCatalogTest {

  private static final Path CODE = Path.of("src/main/java");
  private static final Path CATALOGS = Path.of("src/main/resources/catalog");

  /// A whole id, or the part of one that an expression ends, with that.
  private static final Pattern ID =
      Pattern.compile("\"(io\\.coppice\\.(?:fault|event|alarm)\\.\\w*)\"(\\s*\\+\\s*[\\w.]+)?");

  private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

  @Test
  void everyMessageIdInTheCodeStandsInEveryCatalog() throws Exception {
    Set<String> ids = new TreeSet<>();
    for (Class<?> fault : Fault.class.getPermittedSubclasses()) {
      if (fault != Fault.StorageFault.class) {
        ids.add("io.coppice.fault." + fault.getSimpleName());
      }
    }
    for (Path file : files(CODE)) {
      var found = ID.matcher(Files.readString(file));
      while (found.find()) {
        ids.addAll(ids(found.group(1), found.group(2) != null));
      }
    }
    assertThat(ids)
        .contains(
            "io.coppice.fault.TooManySessions",
            "io.coppice.fault.VasaProviderBusy",
            "io.coppice.event.ContainerNew");

    for (String kind : List.of("fault", "event", "alarm")) {
      List<Path> locales =
          files(CATALOGS).stream()
              .filter(file -> file.getFileName().toString().startsWith(kind + "_"))
              .toList();
      assertThat(locales).isNotEmpty();
      for (Path locale : locales) {
        var catalog = new Properties();
        catalog.load(new StringReader(Files.readString(locale)));
        assertThat(catalog.stringPropertyNames())
            .as(locale.toString())
            .containsAll(
                ids.stream().filter(id -> id.startsWith("io.coppice." + kind + ".")).toList());
      }
    }
  }

  @Test
  void everyLocaleHasTheSameMessagesWithTheSameParameters() throws Exception {
    for (String kind : List.of("fault", "event", "alarm", "policy")) {
      Map<String, Set<String>> english = parameters(CATALOGS.resolve(kind + "_en.vmsg"));
      assertThat(english).isNotEmpty();
      assertThat(parameters(CATALOGS.resolve(kind + "_de.vmsg"))).isEqualTo(english);
    }
  }

  /// The parameters that each message names.
  private static Map<String, Set<String>> parameters(Path catalog) throws IOException {
    Map<String, Set<String>> named = new TreeMap<>();
    for (String line : Files.readAllLines(catalog)) {
      Set<String> parameters = new TreeSet<>();
      var found = PARAMETER.matcher(line);
      while (found.find()) {
        parameters.add(found.group());
      }
      assertThat(line).matches("[\\w.]+ = \".+\"");
      named.put(line.substring(0, line.indexOf(' ')), parameters);
    }
    return named;
  }

  /// What an expression adds to a part is a change, or a name that stands in the code or above.
  private static List<String> ids(String text, boolean isPart) {
    if (!isPart) {
      return List.of(text);
    }
    return text.endsWith(".")
        ? List.of()
        : Stream.of("New", "Update", "Delete").map(text::concat).toList();
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void busyThatAnOperationDoesNotListKeepsItsReason() {
    var answer =
        FaultTranslation.answer(
            VasaException.busy("16 calls of this session run already"),
            "getEvents",
            Set.of("StorageFault", "InvalidSession"));

    assertThat(answer.fault())
        .isEqualTo(
            new Fault.StorageFault(
                "io.coppice.fault.VasaProviderBusy",
                java.util.Map.of("reason", "16 calls of this session run already")));
  }
}
