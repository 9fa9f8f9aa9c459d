package io.coppice.house;

import io.coppice.scsi.cdb.OperationCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The page `docs/conformance.md`. What follows from code is generated: the operations of each
/// contract and their state, the codes of the supported SCSI commands, and the counts at the top.
/// People write the other columns and the prose; both stay as they are.
record ConformancePage(String text) {

  static final String WRITE =
      "mvn -q -pl src-test/integration -am test -Dtest=ConformanceTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dconformance.write";

  static final String OPERATIONS = "VASA operations";
  static final String REPLICATION = "VASA 3.0 replication";
  static final String VERSION_1 = "VASA 1.0";
  private static final String COMMANDS = "SCSI commands";

  /// Port types of the contracts, by the section that lists their operations.
  static final Map<String, String> CONTRACTS =
      Map.of(
          OPERATIONS, "io.coppice.wsdl.service.VasaServicePortType",
          REPLICATION, "io.coppice.wsdl.replication.VasaReplicationPortType",
          VERSION_1, "io.coppice.wsdl.v1.service.VasaServicePortType");

  private static final List<String> COUNTED =
      List.of(
          OPERATIONS,
          REPLICATION,
          VERSION_1,
          COMMANDS,
          "Pages",
          "Task management functions",
          "iSCSI keys");

  private static final Pattern REFUSAL = Pattern.compile("notImplemented\\(\\s*\"(\\w+)\"");
  private static final Pattern STATE =
      Pattern.compile("^\\|.* \\| (implemented|supported|refused) \\|", Pattern.MULTILINE);

  private static Path file() {
    return Repository.root().resolve("docs/conformance.md");
  }

  static ConformancePage read() {
    return new ConformancePage(Repository.read(file()));
  }

  void write() {
    try {
      Files.writeString(file(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The page with everything that follows from code as the code is now.
  ConformancePage generated() throws ClassNotFoundException {
    Set<String> refused = refusedOperations();
    ConformancePage page = this;
    for (Map.Entry<String, String> contract : CONTRACTS.entrySet()) {
      Map<String, List<String>> rows = new TreeMap<>();
      for (String name : operationsOf(contract.getValue())) {
        String state = refused.contains(name) ? "refused" : "implemented";
        rows.put("`" + name + "`", List.of("`" + name + "`", state, "", "", "", ""));
      }
      page =
          page.withTable(
              contract.getKey(),
              "| Operation | State | Faults tested | Mark | Test | Note |",
              written -> merged(rows.values(), 2, written));
    }
    return page.withTable(
            COMMANDS,
            "| Code | Command | State | Test | Note |",
            written -> merged(supportedCommands(), 1, written))
        .withCounts();
  }

  static Set<String> operationsOf(String portType) throws ClassNotFoundException {
    return Arrays.stream(Class.forName(portType).getMethods())
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Operations that the service answers with NotImplemented.
  static Set<String> refusedOperations() {
    Set<String> refused = new TreeSet<>();
    for (Path source : Repository.javaFiles()) {
      if (source.toString().contains("src/main/java/io/coppice/vasa/soap")) {
        Matcher refusal = REFUSAL.matcher(Repository.read(source));
        while (refusal.find()) {
          refused.add(refusal.group(1));
        }
      }
    }
    return refused;
  }

  private static Collection<List<String>> supportedCommands() {
    Map<String, List<String>> rows = new TreeMap<>();
    for (OperationCode command : OperationCode.values()) {
      String code =
          command.hasServiceAction()
              ? "%02Xh/%02Xh".formatted(command.opcode(), command.serviceAction())
              : "%02Xh".formatted(command.opcode());
      String name = command.name().replace('_', ' ');
      rows.put(code, List.of(code, name, "supported", "", ""));
    }
    return rows.values();
  }

  /// Rows of code, each with the cells that people wrote into the row of the same first cell.
  ///
  /// @param fixed how many of the first cells are the code's
  private static List<List<String>> merged(
      Collection<List<String>> rows, int fixed, List<List<String>> written) {
    Map<String, List<String>> known = new HashMap<>();
    written.forEach(cells -> known.put(cells.getFirst(), cells));
    List<List<String>> merged = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(known.getOrDefault(row.getFirst(), row));
      for (int i = 0; i < fixed; i++) {
        cells.set(i, row.get(i));
      }
      merged.add(cells);
    }
    return merged;
  }

  /// This page with the counts of each list at its top.
  private ConformancePage withCounts() {
    List<List<String>> rows = new ArrayList<>();
    for (String section : COUNTED) {
      List<String> states =
          STATE.matcher(section(section)).results().map(state -> state.group(1)).toList();
      long refused = states.stream().filter("refused"::equals).count();
      String anchor = section.toLowerCase(Locale.ROOT).replace(".", "").replace(' ', '-');
      rows.add(
          List.of(
              "[%s](#%s)".formatted(section, anchor),
              Long.toString(states.size() - refused),
              Long.toString(refused)));
    }
    return withTable("", "| List | Supported | Refused |", _ -> rows);
  }

  /// The text from a heading to the next one.
  String section(String heading) {
    int start = text.indexOf("\n## " + heading + "\n");
    if (start < 0) {
      throw new IllegalStateException("docs/conformance.md has no section '" + heading + "'");
    }
    int end = text.indexOf("\n## ", start + 1);
    return text.substring(start, end < 0 ? text.length() : end);
  }

  /// This page with other rows in the first table below a heading that begins so.
  private ConformancePage withTable(
      String heading, String head, UnaryOperator<List<List<String>>> change) {
    int below = heading.isEmpty() ? 0 : text.indexOf("\n## " + heading + "\n");
    int table = text.indexOf("\n" + head + "\n", below);
    if (below < 0 || table < 0) {
      throw new IllegalStateException(
          "docs/conformance.md has no table '%s' below '%s'".formatted(head, heading));
    }
    int start = text.indexOf('\n', table + head.length() + 2) + 1; // below the line of dashes
    int end = text.indexOf("\n\n", start - 1) + 1;
    List<List<String>> written =
        text.substring(start, end).lines().map(ConformancePage::cells).toList();
    String rows =
        change.apply(written).stream()
            .map(cells -> "| %s |\n".formatted(String.join(" | ", cells)))
            .collect(Collectors.joining());
    return new ConformancePage(text.substring(0, start) + rows + text.substring(end));
  }

  private static List<String> cells(String row) {
    String inside = row.strip().replaceAll("^\\||\\|$", "");
    return Arrays.stream(inside.split("\\|", -1)).map(String::strip).toList();
  }
}
