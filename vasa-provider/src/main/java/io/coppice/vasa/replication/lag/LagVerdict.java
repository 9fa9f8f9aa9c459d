package io.coppice.vasa.replication.lag;

import java.util.Locale;

/// A lag against the RPO.
public enum LagVerdict {
  /// The newest replica is as new as it should be.
  OK,
  /// The RPO will be missed unless something changes.
  LATE,
  /// The newest replica is older than the RPO.
  MISSED;

  /// Such as `late`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
