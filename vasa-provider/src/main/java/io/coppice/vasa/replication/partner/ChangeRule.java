package io.coppice.vasa.replication.partner;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rule of a change: at which end it is made, and from which states (design §9; contract
/// §5.11).
///
/// | Change | End | From | Is done in |
/// |---|---|---|---|
/// | synchronize | target | TARGET, INTEST | |
/// | prepare | source | SOURCE | PREPARED with its replica |
/// | fail over | target | TARGET | FAILEDOVER |
/// | begin a test | target | TARGET | INTEST |
/// | end a test | target | INTEST | TARGET |
/// | promote | target | INTEST | FAILEDOVER |
/// | reverse | target | FAILEDOVER | SOURCE |
///
/// @param atTarget whether the call belongs to the end that has, or had, the replicas
/// @param from the states from which the change is made
/// @param done the state in which there is nothing left to do; null if there is always something
record ChangeRule(boolean atTarget, Set<GroupState> from, @Nullable GroupState done) {

  static ChangeRule of(GroupChange change) {
    return switch (change) {
      case GroupChange.Synchronize _ ->
          new ChangeRule(true, Set.of(GroupState.TARGET, GroupState.INTEST), null);
      case GroupChange.PrepareFailover _ ->
          new ChangeRule(
              false, Set.of(GroupState.SOURCE, GroupState.PREPARED), GroupState.PREPARED);
      case GroupChange.Failover _ ->
          new ChangeRule(true, Set.of(GroupState.TARGET), GroupState.FAILEDOVER);
      case GroupChange.StartTest _ ->
          new ChangeRule(true, Set.of(GroupState.TARGET), GroupState.INTEST);
      case GroupChange.StopTest _ ->
          new ChangeRule(true, Set.of(GroupState.INTEST), GroupState.TARGET);
      case GroupChange.Promote _ ->
          new ChangeRule(true, Set.of(GroupState.INTEST), GroupState.FAILEDOVER);
      case GroupChange.Reverse _ ->
          new ChangeRule(true, Set.of(GroupState.FAILEDOVER), GroupState.SOURCE);
    };
  }

  /// Whether the group is in the state that is asked for. A preparation whose last cycle has not
  /// ended is not.
  boolean isDone(ReplicatedGroup group) {
    return group.state() == done
        && (group.state() != GroupState.PREPARED || group.replica() != null);
  }

  /// @throws VasaException (InvalidFunctionTarget) if the call belongs to the other end;
  ///   (InvalidReplicationState) if the state does not allow it
  void require(ReplicatedGroup group) {
    if (from.contains(group.state())) {
      return;
    }
    if (group.state().isTarget() != atTarget) {
      throw new VasaException(
          new Fault.InvalidFunctionTarget(),
          "expected the call at the %s of %s, which is in state %s here: call the other end"
              .formatted(atTarget ? "target" : "source", group.text(), group.state()));
    }
    List<String> desired = from.stream().map(GroupState::vasaName).distinct().sorted().toList();
    throw new VasaException(
        new Fault.InvalidReplicationState(group.state().vasaName(), desired),
        "expected %s in state %s, but it is in state %s here"
            .formatted(group.text(), String.join(" or ", desired), group.state()));
  }
}
