package io.coppice.house;

import java.util.List;
import java.util.Locale;

/// A list of the page `docs/conformance.md`. People write its entries into a text file: which tests
/// show each of them, and what is to be said about it. [ConformanceTables] makes a table of it.
enum ConformanceList {
  OPERATIONS("VASA operations", "vasa-2.0.txt"),
  REPLICATION("VASA 3.0 replication", "vasa-3.0.txt"),
  VERSION_1("VASA 1.0", "vasa-1.0.txt"),
  COMMANDS("SCSI commands", "scsi-commands.txt"),
  PAGES("Pages", "scsi-pages.txt"),
  FUNCTIONS("Task management functions", "task-management.txt"),
  KEYS("iSCSI keys", "iscsi-keys.txt");

  private final String title;
  private final String file;

  ConformanceList(String title, String file) {
    this.title = title;
    this.file = file;
  }

  /// The heading of its section on the page.
  String title() {
    return title;
  }

  /// A link to its section.
  String link() {
    String anchor = title.toLowerCase(Locale.ROOT).replace(".", "").replace(' ', '-');
    return "[%s](#%s)".formatted(title, anchor);
  }

  List<ConformanceEntry> entries() {
    return ConformanceEntry.parse(
        Repository.read(
            Repository.root()
                .resolve("src-test/integration/src/test/resources/conformance")
                .resolve(file)));
  }
}
