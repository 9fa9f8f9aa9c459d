package io.coppice.house;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// An entry of a [ConformanceList]: an operation, a command, a page, a function or a key.
///
/// @param group of the entries that stand together; begins with `refused` if they are refused
/// @param name as the page shows it; for SCSI and iSCSI it begins with the code
/// @param facts what is written below it: the lines of each kind, in their order
record ConformanceEntry(String group, String name, Map<String, List<String>> facts) {

  private static final Set<String> KINDS =
      Set.of("faults", "mark", "test", "offer", "answer", "note");

  /// A test method that shows the entry.
  record Proof(String type, String method) {}

  /// The entries of a list's text. A line `== group` begins a group, a line without indent an
  /// entry, and an indented line `kind text` tells a fact of it. Empty lines and those that begin
  /// with `# ` are skipped.
  ///
  /// @throws IllegalArgumentException for a line of no such form
  static List<ConformanceEntry> parse(String text) {
    List<ConformanceEntry> entries = new ArrayList<>();
    String group = "";
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("# ")) {
        continue;
      }
      if (line.startsWith("== ")) {
        group = line.substring(3);
      } else if (!line.startsWith(" ")) {
        entries.add(new ConformanceEntry(group, line, new LinkedHashMap<>()));
      } else {
        String[] fact = line.strip().split(" ", 2);
        if (entries.isEmpty() || fact.length < 2 || !KINDS.contains(fact[0])) {
          throw new IllegalArgumentException("expected one of %s: %s".formatted(KINDS, line));
        }
        entries.getLast().facts.computeIfAbsent(fact[0], _ -> new ArrayList<>()).add(fact[1]);
      }
    }
    return entries;
  }

  boolean isRefused() {
    return group.startsWith("refused");
  }

  /// The code or key, without what follows it.
  String code() {
    return name.split(" ", 2)[0];
  }

  /// The one line of that kind; empty if there is none.
  String fact(String kind) {
    return String.join(" ", facts.getOrDefault(kind, List.of()));
  }

  /// Faults that its tests provoke.
  Set<String> faults() {
    Set<String> faults = new TreeSet<>(List.of(fact("faults").split(", ")));
    faults.remove("");
    return faults;
  }

  /// @throws IllegalArgumentException if a test is not written as `Class#method`
  List<Proof> proofs() {
    return facts.getOrDefault("test", List.of()).stream().map(ConformanceEntry::proof).toList();
  }

  private static Proof proof(String test) {
    String[] names = test.split("#", -1);
    if (names.length != 2) {
      throw new IllegalArgumentException("expected Class#method: " + test);
    }
    return new Proof(names[0], names[1]);
  }
}
