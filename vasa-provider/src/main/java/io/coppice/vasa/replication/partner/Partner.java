package io.coppice.vasa.replication.partner;

import io.coppice.vasa.container.Containers;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupChangeOutcome;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.replication.Replication;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.vasa.replication.group.GroupPlan;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.viewer.Viewer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The replication of this pool with those that it is paired with; without pairs there are no
/// groups.
///
/// A group is for a registration that may see all storage containers that it is about: those of its
/// volumes, and at the target the one that they would get. For others it does not exist.
public final class Partner implements Replication {

  private final FaultDomain domain;
  private final ReplicationGroups groups;
  private final PeerRecords peers;
  private final Containers containers;
  private final GroupChanging changing;

  /// @param domain this pool's
  public Partner(
      FaultDomain domain,
      ReplicationGroups groups,
      PeerRecords peers,
      Containers containers,
      GroupChanging changing) {
    this.domain = domain;
    this.groups = groups;
    this.peers = peers;
    this.containers = containers;
    this.changing = changing;
  }

  @Override
  public FaultDomain faultDomain() {
    return domain;
  }

  @Override
  public List<String> targetsOf(String source) {
    if (!source.equals(domain.id())) {
      throw VasaException.notFound(
          "expected fault domain %s, got '%s'".formatted(domain.id(), source));
    }
    return peers.all().stream().map(peer -> FaultDomain.idOf(peer.pool().id())).sorted().toList();
  }

  @Override
  public List<ReplicationGroup> groups() {
    return groups.list().stream().map(this::seen).flatMap(Optional::stream).toList();
  }

  @Override
  public ReplicationGroup group(GroupId id) {
    return seen(known(id)).orElseThrow(() -> notFound(id));
  }

  @Override
  public List<PointInTimeReplica> replicasOf(GroupId id) {
    if (group(id) instanceof ReplicationGroup.Source) {
      throw new VasaException(
          new Fault.InvalidFunctionTarget(),
          "the replicas of replication group %s are at its target".formatted(id));
    }
    return groups.replicas(known(id).id()).reversed().stream().map(GroupChanging::replica).toList();
  }

  @Override
  public GroupChangeOutcome change(GroupId id, GroupChange change) {
    if (!id.faultDomain().equals(domain.id())) {
      throw new VasaException(
          new Fault.InvalidFunctionTarget(),
          "replication group %s is not managed here, but %s is".formatted(id, domain.id()));
    }
    if (id.isOnDemand() && peers.all().isEmpty()) {
      throw new VasaException(
          new Fault.NoReplicationTarget(), "this provider replicates to no other one");
    }
    ReplicatedGroup group = known(id);
    if (seen(group).isEmpty()) {
      throw notFound(id);
    }
    // What a group consists of, and where its volumes go, is the same for everybody.
    return Viewer.unlimited(() -> changing.make(id, group, change));
  }

  /// @throws VasaException (NotFound) if there is no such group, for whomever
  private ReplicatedGroup known(GroupId id) {
    UUID own = uuid(id.deviceGroup());
    if (own == null || !id.faultDomain().equals(domain.id())) {
      throw notFound(id);
    }
    return groups.find(own).orElseThrow(() -> notFound(id));
  }

  static @Nullable UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static VasaException notFound(GroupId id) {
    return VasaException.notFound("there is no replication group " + id);
  }

  /// The group, if the caller may see it.
  private Optional<ReplicationGroup> seen(ReplicatedGroup group) {
    List<ReplicatedDevice> devices = Viewer.unlimited(() -> groups.devices(group));
    UUID landing = group.state().isTarget() ? Viewer.unlimited(() -> groups.landing(group)) : null;
    boolean isSeen =
        Stream.concat(devices.stream().map(ReplicatedDevice::container), Stream.of(landing))
            .filter(Objects::nonNull)
            .distinct()
            .allMatch(container -> containers.find(container).isPresent());
    return isSeen ? Optional.of(described(group, devices, landing)) : Optional.empty();
  }

  private ReplicationGroup described(
      ReplicatedGroup group, List<ReplicatedDevice> devices, @Nullable UUID landing) {
    GroupId here = new GroupId(domain.id(), group.id().toString());
    GroupId there = new GroupId(FaultDomain.idOf(group.plan().peer()), group.id().toString());
    String name = group.plan().name();
    String state = group.state().vasaName();
    return group.state().isTarget()
        ? new ReplicationGroup.Target(
            here, name, described(group.plan()), state, devices, landing, there)
        : new ReplicationGroup.Source(here, name, described(group.plan()), state, devices, there);
  }

  private static String described(GroupPlan plan) {
    return "A replica every %d s%s"
        .formatted(plan.interval().toSeconds(), plan.paused() ? ", paused" : "");
  }
}
