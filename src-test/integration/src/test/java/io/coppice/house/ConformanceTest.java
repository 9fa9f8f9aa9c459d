package io.coppice.house;

import static io.coppice.house.ConformanceList.COMMANDS;
import static io.coppice.house.ConformanceList.OPERATIONS;
import static io.coppice.house.ConformanceList.REPLICATION;
import static io.coppice.house.ConformanceList.VERSION_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.house.ConformanceEntry.Proof;
import io.coppice.scsi.cdb.OperationCode;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/conformance.md` is what [ConformancePage] generates from the lists. These name everything
/// that the code has, and tests that exist. What the page says of SCSI and iSCSI is compared with
/// the code beside that code.
class ConformanceTest {

  /// Port types of the contracts, by the list of their operations.
  private static final Map<ConformanceList, String> CONTRACTS =
      Map.of(
          OPERATIONS, "io.coppice.wsdl.service.VasaServicePortType",
          REPLICATION, "io.coppice.wsdl.replication.VasaReplicationPortType",
          VERSION_1, "io.coppice.wsdl.v1.service.VasaServicePortType");

  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+(?:Test|IT))`");
  private static final Pattern REFUSAL = Pattern.compile("notImplemented\\(\\s*\"(\\w+)\"");
  private static final Pattern HELPER = Pattern.compile("(?<![.\\w])(\\w+)\\(");
  private static final Pattern MARKS = Pattern.compile("(W1|S2)(, (OS|SMS|RUN|REC|DOC|MEM|INF))*");

  @Test
  void pageIsWhatIsGenerated() {
    ConformancePage generated = ConformancePage.read().generated();
    if (Boolean.getBoolean("conformance.write")) {
      generated.write();
    }

    assertThat(document())
        .as("docs/conformance.md; this command writes it anew: " + ConformancePage.WRITE)
        .isEqualTo(generated.text());
  }

  @Test
  void everyOperationOfAContractStandsInItsListOnce() throws ClassNotFoundException {
    for (ConformanceList list : CONTRACTS.keySet()) {
      assertThat(list.entries())
          .extracting(ConformanceEntry::name)
          .as(list.title())
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(contract(list)).map(Method::getName).toList());
    }

    assertThat(OPERATIONS.entries()).hasSize(74);
    assertThat(REPLICATION.entries()).hasSize(11);
    assertThat(VERSION_1.entries()).hasSize(22);
  }

  @Test
  void operationsThatTheListsCallRefusedAreThoseThatTheCodeRefuses() {
    assertThat(namesOf(OPERATIONS, ConformanceEntry::isRefused)).isEqualTo(refusedOperations());
    assertThat(namesOf(REPLICATION, ConformanceEntry::isRefused)).isEmpty();
    assertThat(namesOf(VERSION_1, ConformanceEntry::isRefused)).isEmpty();
  }

  @Test
  void commandsOfTheListAreThoseOfTheCode() {
    assertThat(COMMANDS.entries())
        .filteredOn(entry -> !entry.isRefused())
        .extracting(ConformanceEntry::code)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(OperationCode.values()).map(ConformanceTest::code).toList());
  }

  @Test
  void everythingThatIsSupportedHasATest() {
    assertThat(entries().filter(entry -> !entry.isRefused()))
        .hasSizeGreaterThan(200)
        .allSatisfy(entry -> assertThat(entry.proofs()).as(entry.name()).isNotEmpty());
  }

  @Test
  void everyOperationSaysHowCertainItIs() {
    assertThat(OPERATIONS.entries())
        .allSatisfy(
            entry -> assertThat(entry.fact("mark")).as(entry.name()).matches(MARKS.pattern()));
    assertThat(REPLICATION.entries()) // the page says it of all together
        .allSatisfy(entry -> assertThat(entry.fact("mark")).isEqualTo("SMS, INF"));
  }

  /// So the page says it of the mark, instead of a list.
  @Test
  void operationsOfVersion1AreThoseMarkedW1() {
    assertThat(namesOf(OPERATIONS, entry -> entry.fact("mark").startsWith("W1")))
        .isEqualTo(namesOf(VERSION_1, _ -> true));
  }

  @Test
  void faultsThatTheListsNameStandInTheContract() throws ClassNotFoundException {
    for (ConformanceList list : List.of(OPERATIONS, VERSION_1)) {
      Map<String, Set<String>> contract =
          Arrays.stream(contract(list))
              .collect(Collectors.toMap(Method::getName, ConformanceTest::faultsOf));
      for (ConformanceEntry entry : list.entries()) {
        assertThat(contract.get(entry.name()))
            .as(entry.name())
            .contains("StorageFault")
            .containsAll(entry.faults());
      }
    }
  }

  @Test
  void faultsThatTheListsNameStandInTheirTests() {
    Map<String, String> sources = testSources();
    Set<String> missing = new TreeSet<>();
    int faults = 0;
    for (ConformanceEntry entry :
        Stream.of(OPERATIONS, VERSION_1).flatMap(list -> list.entries().stream()).toList()) {
      String text =
          entry.proofs().stream()
              .map(proof -> withHelpers(sources.getOrDefault(proof.type(), ""), proof.method()))
              .collect(Collectors.joining());
      for (String fault : entry.faults()) {
        faults++;
        if (!text.contains(fault)) {
          missing.add(entry.name() + " " + fault);
        }
      }
    }

    assertThat(faults).isGreaterThan(100);
    assertThat(missing).as("faults that the tests of their operation do not name").isEmpty();
  }

  @Test
  void everyTestThatIsNamedExists() {
    Map<String, String> sources = testSources();
    List<Proof> named =
        Stream.concat(
                entries().flatMap(entry -> entry.proofs().stream()),
                TEST.matcher(document()).results().map(m -> new Proof(m.group(1), m.group(2))))
            .toList();

    assertThat(named).hasSizeGreaterThan(200);
    assertThat(named)
        .allSatisfy(
            test ->
                assertThat(sources.getOrDefault(test.type(), ""))
                    .as("%s", test)
                    .contains(" " + test.method() + "("));
    assertThat(TEST_CLASS.matcher(document()).results().map(name -> name.group(1)))
        .hasSizeGreaterThan(50)
        .allSatisfy(type -> assertThat(sources).containsKey(type));
  }

  private static Stream<ConformanceEntry> entries() {
    return Arrays.stream(ConformanceList.values()).flatMap(list -> list.entries().stream());
  }

  private static Set<String> namesOf(ConformanceList list, Predicate<ConformanceEntry> which) {
    return list.entries().stream()
        .filter(which)
        .map(ConformanceEntry::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Method[] contract(ConformanceList list) throws ClassNotFoundException {
    return Class.forName(Objects.requireNonNull(CONTRACTS.get(list))).getMethods();
  }

  private static Set<String> faultsOf(Method operation) {
    return Arrays.stream(operation.getExceptionTypes())
        .map(type -> type.getSimpleName().replaceFirst("Exception$", ""))
        .collect(Collectors.toSet());
  }

  /// Operations that the service answers with NotImplemented.
  private static Set<String> refusedOperations() {
    return Repository.javaFiles().stream()
        .filter(file -> file.toString().contains("src/main/java/io/coppice/vasa/soap"))
        .flatMap(file -> REFUSAL.matcher(Repository.read(file)).results())
        .map(refusal -> refusal.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String code(OperationCode command) {
    return command.hasServiceAction()
        ? "%02Xh/%02Xh".formatted(command.opcode(), command.serviceAction())
        : "%02Xh".formatted(command.opcode());
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

  private static Map<String, String> testSources() {
    return Repository.javaFiles().stream()
        .filter(file -> file.toString().contains("src/test/java"))
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString().replace(".java", ""),
                Repository::read,
                (first, second) -> first + second));
  }

  private static String document() {
    return ConformancePage.read().text();
  }
}
