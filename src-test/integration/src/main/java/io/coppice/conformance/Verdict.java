package io.coppice.conformance;

/// The verdict on one test of the suite.
///
/// @param test `SUITE.TEST`
/// @param detail for a failure and a skip the first line of the tool about it, else empty
record Verdict(String test, Outcome outcome, String detail) {

  public enum Outcome {
    PASSED,
    FAILED,
    /// The test or some step of it was not run; the tool itself counts that as passed.
    SKIPPED
  }

  String suite() {
    return test.substring(0, test.indexOf('.'));
  }
}
