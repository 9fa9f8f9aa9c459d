package io.coppice.vasa.replication.runbook;

/// The kind of what was done by a runbook.
public enum RunKind {
  /// Looks what would happen.
  CHECK,
  /// Shows the volumes of all groups for a while.
  TEST,
  /// Fails over for real.
  RUN
}
