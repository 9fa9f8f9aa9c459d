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

  /// All replicas of a group that has its target here, oldest first.
  ///
  /// @throws VasaException (NotFound) if there is no such group here; (InvalidFunctionTarget) if
  ///   its replicas are at the other end
  List<PointInTimeReplica> replicasOf(GroupId id);

  /// Changes a group. Stable on return; what a crash cuts is done by the next start, or by the same
  /// call again.
  ///
  /// @return what became of it; a call that asks for the state which the group has already is no
  ///   failure
  /// @throws VasaException (NotFound) if there is no such group; (InvalidFunctionTarget) if the
  ///   change belongs to the other end; (InvalidReplicationState) if the state does not allow it;
  ///   (NoReplicationTarget) if the group replicates to nowhere; (NoValidReplica) if there is no
  ///   replica that could be used; (PeerNotReachable) if the other end is needed and not reached;
  ///   (SyncOngoing) if the target is being synchronized; (ResourceInUse) if a volume is in use
  GroupChangeOutcome change(GroupId id, GroupChange change);
}
