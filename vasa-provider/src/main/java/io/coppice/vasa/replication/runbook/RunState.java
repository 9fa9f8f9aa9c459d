package io.coppice.vasa.replication.runbook;

/// The state of a run, test or check.
public enum RunState {
  /// Its steps go on.
  RUNNING,
  /// A test whose volumes are all shown.
  HOLDING,
  /// A test whose volumes are being deleted.
  ENDING,
  SUCCEEDED,
  FAILED,
  /// Ended before its last step, by a restart or by request.
  CUT;

  public boolean ended() {
    return this == SUCCEEDED || this == FAILED || this == CUT;
  }
}
