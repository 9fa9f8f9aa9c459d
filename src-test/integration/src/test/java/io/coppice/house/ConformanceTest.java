package io.coppice.house;

import static io.coppice.house.ConformancePage.OPERATIONS;
import static io.coppice.house.ConformancePage.REPLICATION;
import static io.coppice.house.ConformancePage.VERSION_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/conformance.md` is what [ConformancePage] generates, says of every VASA operation what the
/// code does, and names tests that exist. What it says of SCSI and iSCSI is compared with the code
/// beside that code.
class ConformanceTest {

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `(\\w+)` \\| (implemented|refused) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|",
          Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  private static final Pattern HELPER = Pattern.compile("(?<![.\\w])(\\w+)\\(");
  private static final Pattern MARKS = Pattern.compile("(W1|S2)(, (OS|SMS|RUN|REC|DOC|MEM|INF))*");

  private record Row(String state, Set<String> faults, String marks, String tests) {}

  @Test
  void pageIsWhatIsGenerated() throws ClassNotFoundException {
    ConformancePage generated = ConformancePage.read().generated();
    if (Boolean.getBoolean("conformance.write")) {
      generated.write();
    }

    assertThat(document())
        .as("docs/conformance.md; this command writes it anew: " + ConformancePage.WRITE)
        .isEqualTo(generated.text());
  }

  @Test
  void everyOperationOfTheContractStandsInTheListOnce() throws ClassNotFoundException {
    Set<String> contract = contract(OPERATIONS);

    assertThat(contract).hasSize(74);
    assertThat(rows().keySet()).isEqualTo(contract);
  }

  @Test
  void everyReplicationOperationStandsInItsListOnce() throws ClassNotFoundException {
    Set<String> contract = contract(REPLICATION);

    assertThat(contract).hasSize(11);
    assertThat(rows(REPLICATION).keySet()).isEqualTo(contract);
    assertThat(rows(REPLICATION).values())
        .allSatisfy(row -> assertThat(row.state()).isEqualTo("implemented"));
  }

  @Test
  void everyOperationOfVersion1StandsInItsListOnce() throws ClassNotFoundException {
    Set<String> contract = contract(VERSION_1);

    assertThat(contract).hasSize(22);
    assertThat(rows(VERSION_1).keySet()).isEqualTo(contract);
    assertThat(rows(VERSION_1).values())
        .allSatisfy(row -> assertThat(row.state()).isEqualTo("implemented"));
  }

  @Test
  void whatTheListCallsRefusedIsExactlyWhatTheCodeRefuses() {
    Set<String> refusedByList =
        rows().entrySet().stream()
            .filter(row -> row.getValue().state().equals("refused"))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(refusedByList).isEqualTo(ConformancePage.refusedOperations());
  }

  @Test
  void everyImplementedOperationNamesATest() {
    for (String section : List.of(OPERATIONS, REPLICATION, VERSION_1)) {
      assertThat(rows(section).entrySet())
          .filteredOn(row -> row.getValue().state().equals("implemented"))
          .allSatisfy(row -> assertThat(row.getValue().tests()).containsPattern(TEST));
    }
  }

  @Test
  void everythingThatIsSupportedNamesATest() {
    assertThat(document().lines().filter(line -> line.contains(" | supported | ")))
        .hasSizeGreaterThan(100)
        .allSatisfy(line -> assertThat(line).containsPattern(TEST));
  }

  @Test
  void everyOperationSaysHowCertainItIs() {
    for (String section : List.of(OPERATIONS, VERSION_1)) {
      assertThat(rows(section).entrySet())
          .allSatisfy(row -> assertThat(row.getValue().marks()).as(row.getKey()).matches(MARKS));
    }
  }

  @Test
  void faultsThatTheListNamesStandInTheContract() throws ClassNotFoundException {
    assertFaultsStandIn(portType(OPERATIONS), rows());
    assertFaultsStandIn(portType(VERSION_1), rows(VERSION_1));
  }

  private static String portType(String section) {
    return Objects.requireNonNull(ConformancePage.CONTRACTS.get(section));
  }

  private static Set<String> contract(String section) throws ClassNotFoundException {
    return ConformancePage.operationsOf(portType(section));
  }

  private static void assertFaultsStandIn(String portType, Map<String, Row> rows)
      throws ClassNotFoundException {
    for (var operation : Class.forName(portType).getMethods()) {
      Set<String> contract =
          Arrays.stream(operation.getExceptionTypes())
              .map(type -> type.getSimpleName().replaceFirst("Exception$", ""))
              .collect(Collectors.toSet());
      assertThat(contract).as(operation.getName()).contains("StorageFault");
      assertThat(contract)
          .as(operation.getName())
          .containsAll(Objects.requireNonNull(rows.get(operation.getName())).faults());
    }
  }

  @Test
  void faultsThatTheListNamesStandInTheTestsOfTheirRow() {
    Map<String, String> sources = testSources();
    Set<String> missing = new TreeSet<>();
    int faults = 0;
    for (Map.Entry<String, Row> row :
        Stream.of(OPERATIONS, VERSION_1).flatMap(s -> rows(s).entrySet().stream()).toList()) {
      StringBuilder text = new StringBuilder();
      Matcher test = TEST.matcher(row.getValue().tests());
      while (test.find()) {
        text.append(withHelpers(sources.getOrDefault(test.group(1), ""), test.group(2)));
      }
      for (String fault : row.getValue().faults()) {
        faults++;
        if (text.indexOf(fault) < 0) {
          missing.add(row.getKey() + " " + fault);
        }
      }
    }

    assertThat(faults).isGreaterThan(100);
    assertThat(missing).as("faults that the tests of their row do not name").isEmpty();
  }

  /// The text of a method and of the methods of its class that it calls.
  private static String withHelpers(String source, String method) {
    String body = body(source, method);
    StringBuilder text = new StringBuilder(body);
    Matcher call = HELPER.matcher(body);
    while (call.find()) {
      if (!call.group(1).equals(method)) {
        text.append(body(source, call.group(1)));
      }
    }
    return text.toString();
  }

  /// From the declaration of a method to its end; empty if the class has none of that name.
  private static String body(String source, String method) {
    Matcher start =
        Pattern.compile("^ {2}(?! )[^\\n]*[ >]" + method + "\\(", Pattern.MULTILINE)
            .matcher(source);
    if (!start.find()) {
      return "";
    }
    int end = source.indexOf("\n  }\n", start.start());
    return source.substring(start.start(), end < 0 ? source.length() : end);
  }

  @Test
  void everyTestThatTheDocumentNamesExists() {
    Map<String, String> testSources = testSources();
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

  private static Map<String, String> testSources() {
    return Repository.javaFiles().stream()
        .filter(file -> file.toString().contains("src/test/java"))
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString().replace(".java", ""),
                Repository::read,
                (first, second) -> first + second));
  }

  private static Row row(Matcher row) {
    Set<String> faults = new TreeSet<>(Arrays.asList(row.group(3).split(", ")));
    faults.remove("");
    return new Row(row.group(2), faults, row.group(4), row.group(5));
  }

  private static String document() {
    return ConformancePage.read().text();
  }

  private static Map<String, Row> rows() {
    return rows(OPERATIONS);
  }

  /// The rows below a heading, up to the next one.
  private static Map<String, Row> rows(String heading) {
    Map<String, Row> rows = new TreeMap<>();
    Matcher row = ROW.matcher(ConformancePage.read().section(heading));
    while (row.find()) {
      assertThat(rows.put(row.group(1), row(row)))
          .as("%s stands in the list once", row.group(1))
          .isNull();
    }
    return rows;
  }
}
