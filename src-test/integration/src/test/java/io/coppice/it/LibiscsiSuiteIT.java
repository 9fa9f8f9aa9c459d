package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.harness.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// libiscsi's conformance suite against a plain logical unit: it must run to its end.
///
/// The suite counts a skipped test as passed; here a skip is seen in its output and counted apart.
class LibiscsiSuiteIT {

  private static final String INITIATOR = "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test";
  private static final Pattern TEST = Pattern.compile("^ {2}Test: (\\S+) \\.\\.\\.");

  /// Tests that no target can pass for sure, because they ask for what is not so: a first
  /// descriptor that begins behind the block asked for, a variable that only the answer sets before
  /// the reset was sent, and an abort that must not find its command answered already.
  private static final List<String> OF_THE_TOOL =
      List.of(
          "GetLBAStatus.UnmapSingle",
          "iSCSITMF.AbortTaskSimpleAsync",
          "iSCSITMF.LUNResetSimpleAsync");

  private static final Set<String> MAY_BE_SKIPPED =
      Set.of(
          "MultipathIO",
          "PreventAllow",
          "ReadDefectData10",
          "ReadDefectData12",
          "ReadOnly",
          "Sanitize",
          "StartStopUnit");

  private static final Pattern SUMMARY =
      Pattern.compile("tests\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)");

  @TempDir private Path folder;

  @Test
  void runsToItsEndWithoutAHang() throws Exception {
    assumeTrue(
        Commands.exists("iscsi-test-cu"), "iscsi-test-cu is not installed (package libiscsi-bin)");
    try (RunningProvider provider = RunningProvider.start(folder)) {
      String url = provider.exportPlainVolume("suite", 1L << 30, INITIATOR, INITIATOR + "-2");

      String output =
          Commands.run(600, List.of("iscsi-test-cu", "-i", INITIATOR, "-d", "-v", "-t", "ALL", url))
              .output();

      Path report = Path.of("target", "iscsi-test-cu.txt");
      Files.writeString(report, output);
      Matcher summary = SUMMARY.matcher(output);
      assertThat(summary.find()).as("the suite's summary in %s", report).isTrue();
      int ran = Integer.parseInt(summary.group(2));
      int failed = Integer.parseInt(summary.group(4));
      List<String> skipped = testsWith(output, "[SKIPPED]", "PERSISTENT RESERVE IN");
      List<String> failures = testsWith(output, "...FAILED", "[SKIPPED]");
      System.out.printf(
          "iscsi-test-cu: %d passed, %d failed, %d skipped; failed: %s%n",
          ran - failed - skipped.size(), failed, skipped.size(), failures);
      assertThat(ran).isGreaterThan(200);
      assertThat(skipped).as("skipped").hasSizeLessThan(30).allMatch(LibiscsiSuiteIT::mayBeSkipped);
      assertThat(failures).hasSize(failed).isSubsetOf(OF_THE_TOOL);
    }
  }

  /// What a disk that is not removable does not have, and the second path that is not given here.
  private static boolean mayBeSkipped(String test) {
    String suite = test.substring(0, test.indexOf('.'));
    return MAY_BE_SKIPPED.contains(suite) || test.matches("WriteSame1[06]\\.ZeroBlocks");
  }

  /// Names of the tests during which `marker` was printed; `except` is printed around every test by
  /// the tool itself.
  private static List<String> testsWith(String output, String marker, String except) {
    TreeMap<String, Boolean> found = new TreeMap<>();
    String suite = "";
    String test = "";
    for (String line : output.lines().toList()) {
      if (line.startsWith("Suite: ")) {
        suite = line.substring("Suite: ".length()).strip();
        test = "";
      }
      Matcher start = TEST.matcher(line);
      if (start.find()) {
        test = suite + "." + start.group(1);
      }
      if (line.contains(marker) && !line.contains(except) && !test.isEmpty()) {
        found.put(test, true);
      }
    }
    return new ArrayList<>(found.keySet());
  }
}
