package io.coppice.vasa.replication.runbook;

/// The outcome of a step for one of its groups.
public enum GroupOutcome {
  /// Its step has not begun.
  WAITING,
  GOING,
  /// It failed over, or its test began.
  DONE,
  /// Its volumes were here before.
  ALREADY,
  /// A check found nothing that is missing.
  READY,
  /// A check found something that is missing.
  MISSING,
  FAILED,
  /// A restart cut it: the state of the group says how far it came.
  CUT;

  /// Whether the step has failed with it.
  boolean fails() {
    return this == FAILED || this == MISSING || this == CUT;
  }
}
