package io.coppice.vasa.replication;

import org.jspecify.annotations.Nullable;

/// A change of a replication group. A planned change may call the other end; an unplanned one must
/// not.
public sealed interface GroupChange {

  /// Copies what the target lacks and keeps it as a replica of this name. At the target.
  record Synchronize(String replica) implements GroupChange {}

  /// Makes ready for a planned failover. At the source.
  record PrepareFailover() implements GroupChange {}

  /// Makes a replica, the latest if none is named, the running one. At the target.
  ///
  /// @param checkOnly whether only to say if it could be done
  record Failover(boolean planned, boolean checkOnly, @Nullable String replica)
      implements GroupChange {}

  /// Shows a replica, the latest if none is named, for a test. At the target.
  ///
  /// @param checkOnly whether only to say if it could be done
  record StartTest(boolean planned, boolean checkOnly, @Nullable String replica)
      implements GroupChange {}

  /// Ends a test. At the target.
  ///
  /// @param force whether to end the bindings of what is tested
  record StopTest(boolean force) implements GroupChange {}

  /// Turns a test into the failover. At the target.
  record Promote(boolean planned) implements GroupChange {}

  /// Replicates back after a failover. At what is the source since.
  record Reverse() implements GroupChange {}
}
