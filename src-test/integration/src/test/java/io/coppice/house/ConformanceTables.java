package io.coppice.house;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/// Tables of the page `docs/conformance.md`: one of each [ConformanceList], and one of their
/// counts. Each has its head, the line of dashes and its rows.
final class ConformanceTables {

  private ConformanceTables() {}

  static List<String> of(ConformanceList list) {
    return switch (list) {
      case OPERATIONS -> operations(list, List.of("faults", "mark", "note"));
      case REPLICATION, VERSION_1 -> operations(list, List.of("faults", "note"));
      case COMMANDS, PAGES, FUNCTIONS -> groups(list, ConformanceTables::named);
      case KEYS -> groups(list, ConformanceTables::key);
    };
  }

  /// How many entries of each list are supported, and how many refused.
  static List<String> counts() {
    List<String> table = head(List.of("List", "Supported", "Refused"));
    for (ConformanceList list : ConformanceList.values()) {
      List<ConformanceEntry> entries = list.entries();
      long refused = entries.stream().filter(ConformanceEntry::isRefused).count();
      long supported = entries.size() - refused;
      table.add(row(List.of(list.link(), Long.toString(supported), Long.toString(refused))));
    }
    return table;
  }

  /// A row for each group with its tests, and below it a row for each operation. Operations of a
  /// group that have the same facts share a row.
  private static List<String> operations(ConformanceList list, List<String> kinds) {
    List<String> table =
        head(
            Stream.concat(Stream.of("Operation"), kinds.stream().map(ConformanceTables::column))
                .toList());
    byGroup(list)
        .forEach(
            (group, entries) -> {
              List<String> title = new ArrayList<>(List.of("**" + group + "**"));
              kinds.forEach(_ -> title.add(""));
              title.set(kinds.size(), "Tests: " + tests(entries));
              table.add(row(title));
              namesByFacts(entries, kinds)
                  .forEach(
                      (facts, names) ->
                          table.add(row(Stream.concat(Stream.of(names), facts.stream()).toList())));
            });
    return table;
  }

  private static String column(String kind) {
    return switch (kind) {
      case "faults" -> "Faults tested";
      case "mark" -> "Mark";
      default -> "Note";
    };
  }

  private static Map<List<String>, String> namesByFacts(
      List<ConformanceEntry> entries, List<String> kinds) {
    return entries.stream()
        .collect(
            groupingBy(
                entry -> kinds.stream().map(entry::fact).toList(),
                LinkedHashMap::new,
                mapping(entry -> "`" + entry.name() + "`", joining(", "))));
  }

  /// A row for each group, with all its entries and their tests.
  private static List<String> groups(
      ConformanceList list, Function<ConformanceEntry, String> text) {
    List<String> table = head(List.of("Kind", list.title(), "Tests"));
    byGroup(list)
        .forEach(
            (group, entries) -> {
              String all = entries.stream().map(text).collect(joining("; "));
              table.add(row(List.of(group, all, tests(entries))));
            });
    return table;
  }

  private static String named(ConformanceEntry entry) {
    return withNote(entry.name(), entry);
  }

  private static String key(ConformanceEntry key) {
    String offer = key.fact("offer");
    if (offer.isEmpty()) {
      return withNote("`" + key.name() + "`", key);
    }
    String answer = key.fact("answer");
    return withNote(
        "`%s=%s` → %s"
            .formatted(key.name(), offer, answer.isEmpty() ? "no answer" : "`" + answer + "`"),
        key);
  }

  /// @throws IllegalArgumentException if the note has the sign that parts entries
  private static String withNote(String text, ConformanceEntry entry) {
    String note = entry.fact("note");
    if (note.contains(";")) {
      throw new IllegalArgumentException("expected a note without ';': " + note);
    }
    return note.isEmpty() ? text : text + ": " + note;
  }

  /// The classes of the tests, in alphabetical order.
  private static String tests(List<ConformanceEntry> entries) {
    return entries.stream()
        .flatMap(entry -> entry.proofs().stream())
        .map(proof -> "`" + proof.type() + "`")
        .sorted()
        .distinct()
        .collect(joining(", "));
  }

  private static Map<String, List<ConformanceEntry>> byGroup(ConformanceList list) {
    return list.entries().stream()
        .collect(groupingBy(ConformanceEntry::group, LinkedHashMap::new, toList()));
  }

  private static List<String> head(List<String> cells) {
    return new ArrayList<>(List.of(row(cells), "|" + "---|".repeat(cells.size())));
  }

  private static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
