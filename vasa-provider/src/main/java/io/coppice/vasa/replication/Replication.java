package io.coppice.vasa.replication;

import io.coppice.vasa.fault.VasaException;
import java.util.List;

/// The replication of this provider: its groups, their targets, and changes of both.
///
/// Every call is about one fault domain or one group. The caller handles lists and the failures in
/// them. Safe for any thread.
public interface Replication {

  /// The fault domain of this provider.
  FaultDomain faultDomain();

  /// Ids of the fault domains to which one of this provider's replicates.
  ///
  /// @param source id of the fault domain
  /// @throws VasaException (NotFound) if it is not one of this provider
  List<String> targetsOf(String source);

  /// Every group that has its source or its target here.
  List<ReplicationGroup> groups();

  /// @throws VasaException (NotFound) if there is no such group here
  ReplicationGroup group(GroupId id);

  /// The replicas of a group that has its target here, within the span of the query, oldest first.
  /// The caller compares names and tags.
  ///
  /// @throws VasaException (NotFound) if there is no such group here
  List<PointInTimeReplica> replicasOf(GroupId id, ReplicaQuery query);

  /// Changes a group, or nothing if this throws. Stable on return.
  ///
  /// @throws VasaException (NotFound) if there is no such group, (InvalidFunctionTarget) if the
  ///   change belongs to the other end, (NoReplicationTarget) if the group replicates to nowhere
  void change(GroupId id, GroupChange change);
}
