package io.coppice.vasa.replication;

import io.coppice.vasa.fault.Fault;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The outcome of a change of a replication group.
public sealed interface GroupChangeOutcome {

  /// Whether the group was in the state that was asked for before the call. The change was done by
  /// an earlier one, whose answer may have been lost.
  boolean wasDone();

  /// A change that has nothing else to tell.
  record Done(boolean wasDone) implements GroupChangeOutcome {}

  /// A replica that a cycle made.
  record Synchronized(PointInTimeReplica replica) implements GroupChangeOutcome {

    @Override
    public boolean wasDone() {
      return false;
    }
  }

  /// A replica that became volumes, of a test or for good, or could become some.
  ///
  /// @param state of the group now, in the words of VASA
  /// @param devices with the volume that each one became; without volumes after a mere check
  /// @param warnings why a device got no storage policy, by its member
  record Recovered(
      String state,
      PointInTimeReplica replica,
      List<ReplicatedDevice> devices,
      Map<UUID, Fault> warnings,
      boolean wasDone)
      implements GroupChangeOutcome {

    public Recovered {
      devices = List.copyOf(devices);
      warnings = Map.copyOf(warnings);
    }
  }

  /// A group that is replicated the other way.
  ///
  /// @param id of the group here, which stays what it was
  record Reversed(GroupId id, boolean wasDone) implements GroupChangeOutcome {}
}
