package io.coppice.conformance;

import io.coppice.conformance.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what `iscsi-test-cu -v` prints.
///
/// A test begins with its name on a line of its own and ends before the next one. It has failed if
/// CUnit says so, and was skipped if any line of it says `[SKIPPED]`; what the tool prints before
/// the first suite is about its own preparations.
final class SuiteOutput {

  private static final Pattern SUITE = Pattern.compile("^Suite: (\\S+)");
  private static final Pattern TEST = Pattern.compile("^ {2}Test: (\\S+) \\.\\.\\.(.*)");
  private static final String END = "Run Summary:";
  private static final String SKIPPED = "[SKIPPED]";

  /// Printed where the tool looks for reservations that an earlier test left behind.
  private static final String OF_CLEANUP = "PERSISTENT RESERVE IN";

  private SuiteOutput() {}

  /// The verdicts of `expected`, in their order; a test without a trace in the output has failed.
  static List<Verdict> read(String output, List<String> expected) {
    Map<String, List<String>> linesOf = linesByTest(output);
    List<Verdict> verdicts = new ArrayList<>();
    for (String test : expected) {
      verdicts.add(verdict(test, linesOf.getOrDefault(test, List.of())));
    }
    return verdicts;
  }

  private static Map<String, List<String>> linesByTest(String output) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    String suite = "";
    List<String> current = new ArrayList<>(); // the preamble: nobody's
    for (String line : output.lines().toList()) {
      Matcher suiteStart = SUITE.matcher(line);
      Matcher testStart = TEST.matcher(line);
      if (suiteStart.find()) {
        suite = suiteStart.group(1);
        current = new ArrayList<>();
      } else if (testStart.find() && !suite.isEmpty()) {
        current = new ArrayList<>(List.of(testStart.group(2)));
        found.put(suite + "." + testStart.group(1), current);
      } else if (line.startsWith(END)) {
        current = new ArrayList<>();
      } else {
        current.add(line);
      }
    }
    return found;
  }

  private static Verdict verdict(String test, List<String> lines) {
    if (lines.stream().anyMatch(line -> line.startsWith("FAILED"))) {
      return new Verdict(test, Outcome.FAILED, firstComplaint(lines));
    }
    if (lines.stream().noneMatch(line -> line.startsWith("passed"))) {
      return new Verdict(test, Outcome.FAILED, "it did not end: " + String.join(" ", lines));
    }
    return lines.stream()
        .filter(line -> line.contains(SKIPPED) && !line.contains(OF_CLEANUP))
        .findFirst()
        .map(line -> new Verdict(test, Outcome.SKIPPED, tidy(line.replace(SKIPPED, ""))))
        .orElseGet(() -> new Verdict(test, Outcome.PASSED, ""));
  }

  private static String firstComplaint(List<String> lines) {
    return lines.stream()
        .map(SuiteOutput::tidy)
        .filter(line -> !line.isEmpty() && !line.equals("FAILED"))
        .filter(line -> line.contains("[FAILED]") || line.startsWith("1."))
        .findFirst()
        .orElse("the tool printed no more");
  }

  private static String tidy(String line) {
    return line.strip();
  }
}
