package io.coppice.vasa.replication;

import org.jspecify.annotations.Nullable;

/// A change of a replication group. A planned change may call the other end; an unplanned one must
/// not.
public sealed interface GroupChange {

  /// Copies what the target lacks, and keeps the result as a replica of this name. At the target.
  record Synchronize(String replica) implements GroupChange {}

  /// Prepares a planned failover. At the source.
  record PrepareFailover() implements GroupChange {}

  /// Makes a replica the running one; the latest if none is named. At the target.
  ///
  /// @param checkOnly whether to report only if it could be done
  record Failover(boolean planned, boolean checkOnly, @Nullable String replica)
      implements GroupChange {}

  /// Shows a replica for a test; the latest if none is named. At the target.
  ///
  /// @param checkOnly whether to report only if it could be done
  record StartTest(boolean planned, boolean checkOnly, @Nullable String replica)
      implements GroupChange {}

  /// Ends a test. At the target.
  ///
  /// @param force whether to end the bindings of the tested volumes
  record StopTest(boolean force) implements GroupChange {}

  /// Turns a test into the failover. At the target.
  record Promote(boolean planned) implements GroupChange {}

  /// Replicates back after a failover. At the end that is the source since.
  record Reverse() implements GroupChange {}
}
