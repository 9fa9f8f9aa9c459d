package io.coppice.vasa.replication;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A group of virtual volumes that are replicated as one, as its end here sees it.
public sealed interface ReplicationGroup {

  GroupId id();

  String name();

  /// What the administrator decided about it, in one sentence.
  String description();

  /// The state in the words of VASA.
  String state();

  /// The devices that are replicated.
  List<ReplicatedDevice> devices();

  /// A group whose source is here.
  ///
  /// @param target the group at the other end
  record Source(
      GroupId id,
      String name,
      String description,
      String state,
      List<ReplicatedDevice> devices,
      GroupId target)
      implements ReplicationGroup {

    public Source {
      devices = List.copyOf(devices);
    }
  }

  /// A group whose target is here.
  ///
  /// @param container the storage container that gets the volumes of a fail-over; null if there is
  ///   none
  /// @param source the group at the other end
  record Target(
      GroupId id,
      String name,
      String description,
      String state,
      List<ReplicatedDevice> devices,
      @Nullable UUID container,
      GroupId source)
      implements ReplicationGroup {

    public Target {
      devices = List.copyOf(devices);
    }
  }
}
