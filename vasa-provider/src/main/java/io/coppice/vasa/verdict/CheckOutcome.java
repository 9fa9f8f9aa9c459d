package io.coppice.vasa.verdict;

/// The outcome of a check for one thing.
public sealed interface CheckOutcome {

  /// One sentence about what the check saw.
  String seen();

  /// A thing in good order.
  record Ok(String seen) implements CheckOutcome {}

  /// A thing that works, but not for ever, or not for everybody.
  record Warn(String seen) implements CheckOutcome {}

  /// A thing that takes the provider offline, or would.
  ///
  /// @param remedy what to do, as one clause
  record Fail(Cause cause, String seen, String remedy) implements CheckOutcome {}

  /// A thing that could not be looked at.
  record Skipped(String seen) implements CheckOutcome {}
}
