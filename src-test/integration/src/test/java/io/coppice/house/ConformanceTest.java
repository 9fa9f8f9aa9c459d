package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// `docs/conformance.md` says of every VASA operation what the code does, and names tests that
/// exist. What it says of SCSI and iSCSI is compared with the code beside that code.
class ConformanceTest {

  private static final Pattern ROW =
      Pattern.compile("^\\| `(\\w+)` \\| (implemented|refused) \\| ([^|]*) \\|", Pattern.MULTILINE);
  private static final Pattern REFUSAL = Pattern.compile("notImplemented\\(\\s*\"(\\w+)\"");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  private record Row(String state, String tests) {}

  @Test
  void everyOperationOfTheContractStandsInTheListOnce() throws ClassNotFoundException {
    Set<String> contract =
        Arrays.stream(Class.forName("io.coppice.wsdl.service.VasaServicePortType").getMethods())
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(contract).hasSize(74);
    assertThat(rows().keySet()).isEqualTo(contract);
  }

  @Test
  void whatTheListCallsRefusedIsExactlyWhatTheCodeRefuses() {
    Set<String> refusedByCode = new TreeSet<>();
    for (Path file : Repository.javaFiles()) {
      if (file.toString().contains("src/main/java/io/coppice/vasa/soap")) {
        Matcher refusal = REFUSAL.matcher(Repository.read(file));
        while (refusal.find()) {
          refusedByCode.add(refusal.group(1));
        }
      }
    }

    Set<String> refusedByList =
        rows().entrySet().stream()
            .filter(row -> row.getValue().state().equals("refused"))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(refusedByList).isEqualTo(refusedByCode);
  }

  @Test
  void everyImplementedOperationNamesATest() {
    assertThat(rows().entrySet())
        .filteredOn(row -> row.getValue().state().equals("implemented"))
        .allSatisfy(row -> assertThat(row.getValue().tests()).containsPattern(TEST));
  }

  @Test
  void everythingThatIsSupportedNamesATest() {
    assertThat(document().lines().filter(line -> line.contains(" | supported | ")))
        .hasSizeGreaterThan(100)
        .allSatisfy(line -> assertThat(line).containsPattern(TEST));
  }

  @Test
  void everyTestThatTheDocumentNamesExists() {
    Map<String, String> testSources =
        Repository.javaFiles().stream()
            .filter(file -> file.toString().contains("src/test/java"))
            .collect(
                Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""),
                    Repository::read,
                    (first, second) -> first + second));
    Set<String> missing = new TreeSet<>();
    Matcher test = TEST.matcher(document());
    int names = 0;
    while (test.find()) {
      names++;
      if (!testSources.getOrDefault(test.group(1), "").contains(" " + test.group(2) + "(")) {
        missing.add(test.group());
      }
    }

    assertThat(names).isGreaterThan(200);
    assertThat(missing).as("tests that the list names and that are not there").isEmpty();
  }

  private static String document() {
    return Repository.read(Repository.root().resolve("docs/conformance.md"));
  }

  private static Map<String, Row> rows() {
    Map<String, Row> rows = new TreeMap<>();
    Matcher row = ROW.matcher(document());
    while (row.find()) {
      assertThat(rows.put(row.group(1), new Row(row.group(2), row.group(3))))
          .as("%s stands in the list once", row.group(1))
          .isNull();
    }
    return rows;
  }
}
