package io.coppice.vasa.replication.group;

import io.coppice.replication.ReplicationException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// The failures of replication in the words of VASA.
final class GroupFailures {

  private GroupFailures() {}

  /// A failure that a peer or the link reported.
  ///
  /// @param current the state of the group here; empty if it is gone
  static VasaException of(ReplicationException e, String current) {
    Fault fault =
        switch (e.reason()) {
          case UNREACHABLE -> new Fault.PeerNotReachable();
          case VERSION -> new Fault.NotSupported();
          case FORBIDDEN -> new Fault.PermissionDenied();
          case STATE -> new Fault.InvalidReplicationState(current, List.of());
          case OUT_OF_SPACE -> new Fault.OutOfResource();
          case BUSY -> new Fault.VasaProviderBusy();
          case NO_BASE, DAMAGED, POOL_FAILED ->
              new Fault.StorageFault("io.coppice.fault.ReplicationFailed");
        };
    return new VasaException(fault, e.sentence(), e);
  }

  /// Does some work, and says a failure that a peer or the link reported in the words of VASA.
  ///
  /// @param current the state of the group here; empty if it is gone
  static <T> T translated(Supplier<T> work, Supplier<String> current) {
    try {
      return work.get();
    } catch (ReplicationException e) {
      throw of(e, current.get());
    }
  }

  /// A change that the state of a group does not allow.
  static VasaException state(ReplicatedGroup group, String change, GroupState... desired) {
    List<String> wanted = Arrays.stream(desired).map(GroupState::name).toList();
    return new VasaException(
        new Fault.InvalidReplicationState(group.state().vasaName(), wanted),
        "expected %s in state %s to %s, but it is in state %s here"
            .formatted(group.text(), String.join(" or ", wanted), change, group.state()));
  }
}
