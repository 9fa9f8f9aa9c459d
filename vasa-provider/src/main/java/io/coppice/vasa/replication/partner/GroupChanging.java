package io.coppice.vasa.replication.partner;

import io.coppice.engine.VolumeId;
import io.coppice.replication.Replica;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.UnbindOutcome;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupChangeOutcome;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.volume.policy.VolumePolicies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The changes of groups that VASA names, in the states and with the answers that it demands.
///
/// A change that was done before is none: a caller whose answer was lost calls again and learns the
/// same. Policies of recovered volumes are given after the fail-over, so such a call also does what
/// a crash between the two left.
public final class GroupChanging {

  private final ReplicationGroups groups;
  private final LongChanges longOnes;
  private final Bindings bindings;
  private final Supplier<Predicate<HostId>> ownHosts;
  private final Profiles profiles;
  private final VolumePolicies policies;

  /// @param ownHosts the hosts of the caller's registration
  public GroupChanging(
      ReplicationGroups groups,
      LongChanges longOnes,
      Bindings bindings,
      Supplier<Predicate<HostId>> ownHosts,
      Profiles profiles,
      VolumePolicies policies) {
    this.groups = groups;
    this.longOnes = longOnes;
    this.bindings = bindings;
    this.ownHosts = ownHosts;
    this.profiles = profiles;
    this.policies = policies;
  }

  static PointInTimeReplica replica(Replica replica) {
    return new PointInTimeReplica(
        replica.cycle().toString(), replica.name(), replica.taken(), replica.tags());
  }

  /// @throws VasaException as [io.coppice.vasa.replication.Replication#change]
  GroupChangeOutcome make(GroupId id, ReplicatedGroup group, GroupChange change) {
    ChangeRule rule = ChangeRule.of(change);
    boolean wasDone = rule.isDone(group);
    if (!wasDone) {
      rule.require(group);
    }
    return switch (change) {
      case GroupChange.Synchronize(String name) -> longOnes.synchronize(group, name);
      case GroupChange.PrepareFailover _ ->
          wasDone ? new GroupChangeOutcome.Done(true) : longOnes.prepare(group);
      case GroupChange.Failover(
              boolean planned,
              boolean checkOnly,
              var replica,
              List<GroupChange.DevicePolicy> given) ->
          wasDone
              ? recoveredBefore(group, replica, given)
              : failOver(group, new Wanted(planned, checkOnly, cycle(group, replica), given));
      case GroupChange.StartTest(
              var _,
              boolean checkOnly,
              var replica,
              List<GroupChange.DevicePolicy> given) ->
          wasDone
              ? recoveredBefore(group, replica, given)
              : startTest(group, new Wanted(false, checkOnly, cycle(group, replica), given));
      case GroupChange.StopTest(boolean force) ->
          wasDone ? new GroupChangeOutcome.Done(true) : stopTest(group, force);
      case GroupChange.Promote(boolean planned) -> {
        if (!wasDone) {
          groups.roles().promote(group.id(), planned);
        }
        yield new GroupChangeOutcome.Done(wasDone);
      }
      case GroupChange.Reverse _ -> {
        if (!wasDone) {
          groups.roles().reverse(group.id());
        }
        yield new GroupChangeOutcome.Reversed(id, wasDone);
      }
    };
  }

  /// A fail-over or test as somebody wants it.
  ///
  /// @param cycle of the replica; null for the newest one
  private record Wanted(
      boolean planned,
      boolean checkOnly,
      @Nullable UUID cycle,
      List<GroupChange.DevicePolicy> given) {}

  private static @Nullable UUID cycle(ReplicatedGroup group, @Nullable String replica) {
    if (replica == null) {
      return null;
    }
    UUID cycle = Partner.uuid(replica);
    if (cycle == null) {
      throw new VasaException(
          new Fault.NoValidReplica(),
          "%s has no replica '%s' here".formatted(group.text(), replica));
    }
    return cycle;
  }

  private GroupChangeOutcome failOver(ReplicatedGroup group, Wanted wanted) {
    ReplicatedGroup after =
        groups.roles().failOver(group.id(), wanted.cycle(), wanted.planned(), wanted.checkOnly());
    return wanted.checkOnly()
        ? checked(after, wanted.cycle())
        : recovered(after, wanted.given(), false);
  }

  private GroupChangeOutcome startTest(ReplicatedGroup group, Wanted wanted) {
    ReplicatedGroup after =
        groups.roles().startTest(group.id(), wanted.cycle(), wanted.checkOnly());
    return wanted.checkOnly()
        ? checked(after, wanted.cycle())
        : recovered(after, wanted.given(), false);
  }

  private GroupChangeOutcome checked(ReplicatedGroup group, @Nullable UUID cycle) {
    Replica replica = groups.replica(group, cycle);
    return new GroupChangeOutcome.Recovered(
        group.state().vasaName(),
        replica(replica),
        groups.devices(group, replica),
        Map.of(),
        false);
  }

  /// What an earlier call brought. Another replica than the one that it used is not to be had.
  private GroupChangeOutcome recoveredBefore(
      ReplicatedGroup group, @Nullable String replica, List<GroupChange.DevicePolicy> given) {
    if (replica != null && !replica.equals(String.valueOf(group.replica()))) {
      throw new VasaException(
          new Fault.InvalidReplicationState(
              group.state().vasaName(), List.of(GroupState.TARGET.vasaName())),
          "expected %s in state TARGET to use replica %s, but it is in state %s with replica %s"
              .formatted(group.text(), replica, group.state(), group.replica()));
    }
    return recovered(group, given, true);
  }

  private GroupChangeOutcome recovered(
      ReplicatedGroup group, List<GroupChange.DevicePolicy> given, boolean wasDone) {
    List<ReplicatedDevice> devices = groups.devices(group);
    return new GroupChangeOutcome.Recovered(
        group.state().vasaName(),
        replica(groups.replica(group, group.replica())),
        devices,
        give(devices, given),
        wasDone);
  }

  /// Gives volumes their storage policies. One that cannot be given does not undo a fail-over: the
  /// volume runs without it, and the answer says why.
  private Map<UUID, Fault> give(
      List<ReplicatedDevice> devices, List<GroupChange.DevicePolicy> given) {
    Map<UUID, Fault> failed = new HashMap<>();
    for (GroupChange.DevicePolicy one : given) {
      for (ReplicatedDevice device : devices) {
        VolumeId volume = device.here();
        if (volume != null && device.source().equals(one.source())) {
          try {
            FaultTranslation.runTranslated(
                () -> policies.apply(volume, profiles.requireOffered(one.policy())));
          } catch (VasaException e) {
            failed.put(device.member(), e.fault());
          }
        }
      }
    }
    return failed;
  }

  /// Ends a test.
  ///
  /// @param force whether to end the bindings of its volumes first, those of the caller's hosts
  private GroupChangeOutcome stopTest(ReplicatedGroup group, boolean force) {
    if (force) {
      for (VolumeId volume : groups.shown(group)) {
        if (bindings.unbindFromAllHosts(volume, ownHosts.get())
            instanceof UnbindOutcome.Refused refused) {
          throw refused.why();
        }
      }
    }
    groups.roles().stopTest(group.id());
    return new GroupChangeOutcome.Done(false);
  }
}
