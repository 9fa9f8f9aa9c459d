package io.coppice.conformance;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Debian's `iscsi-test-cu` (package libiscsi-bin), one process a suite of tests.
final class SuiteTool {

  static final String PROGRAM = "iscsi-test-cu";

  private static final List<String> FAMILIES = List.of("SCSI", "iSCSI");
  private static final int SECONDS_A_SUITE = 180;

  private final Path logs;

  /// @param logs folder for the tool's output, one file a subject and suite
  SuiteTool(Path logs) {
    this.logs = logs;
  }

  /// All tests, `SUITE.TEST`, by `FAMILY.SUITE`.
  static Map<String, List<String>> tests() {
    Map<String, List<String>> bySuite = new LinkedHashMap<>();
    for (String line : Commands.run(20, List.of(PROGRAM, "--list")).output().lines().toList()) {
      String[] parts = line.strip().split("\\.");
      if (parts.length == 3 && FAMILIES.contains(parts[0])) {
        bySuite
            .computeIfAbsent(parts[0] + "." + parts[1], _ -> new ArrayList<>())
            .add(parts[1] + "." + parts[2]);
      }
    }
    if (bySuite.isEmpty()) {
      throw new Mismatch("expected %s to list its tests, it lists none".formatted(PROGRAM));
    }
    return bySuite;
  }

  /// Runs a suite, or one test of it, over two paths to the unit.
  ///
  /// @param filter `FAMILY.SUITE` or `FAMILY.SUITE.TEST`
  /// @param expected the tests that the filter names
  List<Verdict> run(Subject subject, String filter, List<String> expected) {
    List<String> command =
        List.of(
            PROGRAM,
            "--initiator-name=" + subject.initiator(),
            "--initiator-name-2=" + subject.initiator() + Subject.SECOND,
            "--dataloss",
            "--verbose",
            "--test=" + filter,
            subject.url(),
            subject.url());
    String output = Commands.runAtMost(SECONDS_A_SUITE, command);
    try {
      Path folder = Files.createDirectories(logs.resolve(subject.name().replace(' ', '-')));
      Files.writeString(folder.resolve(filter + ".txt"), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return SuiteOutput.read(output, expected);
  }
}
