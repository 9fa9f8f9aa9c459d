package io.coppice.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The page `docs/conformance.md`. Its lists and their counts are generated ([ConformanceTables]).
/// People write the prose and the other tables, which stay as they are.
record ConformancePage(String text) {

  static final String WRITE =
      "mvn -q -pl src-test/integration -am test -Dtest=ConformanceTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dconformance.write";

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

  /// The page with every list as it is now.
  ///
  /// @throws IllegalStateException if the page lacks the section or the table of a list
  ConformancePage generated() {
    ConformancePage page = withTable(0, ConformanceTables.counts());
    for (ConformanceList list : ConformanceList.values()) {
      String heading = "\n## " + list.title() + "\n";
      page = page.withTable(page.indexOf(heading, 0), ConformanceTables.of(list));
    }
    return page;
  }

  /// This page with that table in place of the first one from there on that has its head.
  private ConformancePage withTable(int from, List<String> table) {
    int start = indexOf("\n" + table.getFirst() + "\n", from) + 1;
    int end = indexOf("\n\n", start) + 1;
    String rows = String.join("\n", table) + "\n";
    return new ConformancePage(text.substring(0, start) + rows + text.substring(end));
  }

  private int indexOf(String part, int from) {
    int at = text.indexOf(part, from);
    if (at < 0) {
      throw new IllegalStateException(
          "docs/conformance.md lacks '%s' from character %d on".formatted(part.strip(), from));
    }
    return at;
  }
}
