package io.coppice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.conformance.Verdict.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteOutputTest {

  private static final String OUTPUT =
      """
      [SKIPPED] what the tool prints of its own preparations
      Suite: Inquiry
        Test: Standard ...passed
        Test: EVPD ...    [SKIPPED] not here
      passed
        Test: Version ...passed    [FAILED] PRIN command: failed with sense.
        Test: Wrong ...    [FAILED] it said something
      FAILED
          1. test_wrong.c:71  - CU_FAIL("something")
        Test: Cleanup ...    [SKIPPED] PERSISTENT RESERVE IN is not implemented.
      passed
        Test: Hangs ...    [FAILED] the last words
      """;

  @Test
  void everyTestGetsItsVerdict() {
    assertThat(outcomes("Standard", "EVPD", "Version", "Wrong", "Cleanup"))
        .containsExactly(
            Outcome.PASSED, Outcome.SKIPPED, Outcome.PASSED, Outcome.FAILED, Outcome.PASSED);
  }

  @Test
  void testThatDoesNotEndOrNeverBeganHasFailed() {
    assertThat(outcomes("Hangs", "Missing")).containsExactly(Outcome.FAILED, Outcome.FAILED);
  }

  @Test
  void skipsAndFailuresCarryWhatTheToolSaid() {
    List<Verdict> verdicts = SuiteOutput.read(OUTPUT, List.of("Inquiry.EVPD", "Inquiry.Wrong"));

    assertThat(verdicts)
        .extracting(Verdict::detail)
        .containsExactly("not here", "[FAILED] it said something");
  }

  @Test
  void skipWithoutAReasonIsUnexpected() {
    Tally tally =
        new Tally(
            "unit",
            List.of(
                new Verdict("Sanitize.Reset", Outcome.SKIPPED, "not implemented"),
                new Verdict("Unmap.Simple", Outcome.SKIPPED, "not implemented"),
                new Verdict("Read10.Simple", Outcome.PASSED, "")));

    assertThat(tally.unexpectedSkips()).extracting(Verdict::test).containsExactly("Unmap.Simple");
    assertThat(tally.summary()).isEqualTo("1 passed, 0 failed, 2 skipped");
    assertThat(tally.lines()).last().isEqualTo("  1 passed, 0 failed, 2 skipped");
  }

  private static List<Outcome> outcomes(String... tests) {
    List<String> expected = java.util.Arrays.stream(tests).map(t -> "Inquiry." + t).toList();
    return SuiteOutput.read(OUTPUT, expected).stream().map(Verdict::outcome).toList();
  }
}
