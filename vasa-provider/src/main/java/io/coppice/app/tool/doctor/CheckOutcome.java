package io.coppice.app.tool.doctor;

/// What a check saw of one thing.
sealed interface CheckOutcome {

  /// One sentence: what was seen.
  String seen();

  /// As it should be.
  record Ok(String seen) implements CheckOutcome {}

  /// It works, but not for ever, or not for everybody.
  record Warn(String seen) implements CheckOutcome {}

  /// The provider is, or would be, offline because of it.
  ///
  /// @param remedy what to do, as one clause
  record Fail(Cause cause, String seen, String remedy) implements CheckOutcome {}

  /// It could not be looked at.
  record Skipped(String seen) implements CheckOutcome {}
}
