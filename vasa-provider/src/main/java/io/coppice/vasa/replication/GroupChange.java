package io.coppice.vasa.replication;

import io.coppice.engine.VolumeId;
import java.util.List;
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
  /// @param policies the storage policies of the volumes
  record Failover(
      boolean planned, boolean checkOnly, @Nullable String replica, List<DevicePolicy> policies)
      implements GroupChange {

    public Failover {
      policies = List.copyOf(policies);
    }
  }

  /// Shows a replica for a test; the latest if none is named. At the target.
  ///
  /// @param checkOnly whether to report only if it could be done
  /// @param policies the storage policies of the volumes
  record StartTest(
      boolean planned, boolean checkOnly, @Nullable String replica, List<DevicePolicy> policies)
      implements GroupChange {

    public StartTest {
      policies = List.copyOf(policies);
    }
  }

  /// A storage policy for the volume that a device becomes.
  ///
  /// @param source the volume at the source
  /// @param policy id of the policy
  record DevicePolicy(VolumeId source, String policy) {}

  /// Ends a test. At the target.
  ///
  /// @param force whether to end the bindings of the tested volumes
  record StopTest(boolean force) implements GroupChange {}

  /// Turns a test into the failover. At the target. A planned one demands that the source is
  /// prepared, and that the test shows what it prepared.
  record Promote(boolean planned) implements GroupChange {}

  /// Replicates back after a failover. At the end that is the source since.
  record Reverse() implements GroupChange {}
}
