package io.coppice.vasa.replication.group;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.replication.source.CycleSender;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.replication.ReplicatedDevice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The replication groups of this pool, those that it sends and those that it receives. Safe for
/// any thread.
public final class ReplicationGroups {

  private static final Logger log = LoggerFactory.getLogger(ReplicationGroups.class);

  private final GroupRecords records;
  private final ReplicaCatalog catalog;
  private final GroupMembers members;
  private final ReplicaVolumes volumes;
  private final GroupDevices devices;
  private final CycleRounds rounds;
  private final RoleChanges changes;
  private final Function<UUID, Conversation> connect;
  private final Consumer<UUID> stop;
  private final Predicate<UUID> isPeer;
  private final Consumer<NewChange> history;
  private final InstantSource clock;

  ReplicationGroups(
      GroupRecords records,
      ReplicaCatalog catalog,
      GroupMembers members,
      ReplicaVolumes volumes,
      CycleRounds rounds,
      RoleChanges changes,
      Function<UUID, Conversation> connect,
      Consumer<UUID> stop,
      Predicate<UUID> isPeer,
      Consumer<NewChange> history,
      InstantSource clock) {
    this.records = records;
    this.catalog = catalog;
    this.members = members;
    this.volumes = volumes;
    this.devices = new GroupDevices(members, volumes, catalog);
    this.rounds = rounds;
    this.changes = changes;
    this.connect = connect;
    this.stop = stop;
    this.isPeer = isPeer;
    this.history = history;
    this.clock = clock;
  }

  public List<ReplicatedGroup> list() {
    return records.all();
  }

  /// @throws VasaException (NotFound) if there is no such group here
  public ReplicatedGroup require(UUID id) {
    return changes.require(id);
  }

  public Optional<ReplicatedGroup> find(UUID id) {
    return records.find(id);
  }

  /// The changes of roles.
  public RoleChanges roles() {
    return changes;
  }

  /// The cycles of a group that has its source here.
  public CycleStatus status(UUID id) {
    return rounds.status(id);
  }

  /// When the newest replica was taken that the target of a group is known to have.
  ///
  /// After a start the source does not know it before a cycle has ended. It then counts on the
  /// second-newest replica that it has: the newest one may not have arrived.
  public Optional<Instant> newest(ReplicatedGroup group) {
    List<Replica> here = catalog.of(group.id());
    if (!group.state().sends()) {
      return here.stream().findFirst().map(Replica::taken);
    }
    return Optional.ofNullable(rounds.status(group.id()).reached())
        .or(() -> here.stream().skip(1).findFirst().map(Replica::taken));
  }

  /// The replicas of a group that this pool has, newest first.
  ///
  /// @throws VasaException (NotFound) if there is no such group here
  public List<Replica> replicas(UUID id) {
    return replicas(require(id));
  }

  /// The replicas of a group that this pool has, newest first; none if it is gone meanwhile.
  public List<Replica> replicas(ReplicatedGroup group) {
    return catalog.of(group.id());
  }

  /// The replica that a fail-over or a test of a group would use.
  ///
  /// @param cycle null for the newest one
  /// @throws VasaException (NoValidReplica) if it is not there
  public Replica replica(ReplicatedGroup group, @Nullable UUID cycle) {
    return changes.replica(group, cycle);
  }

  /// Id of the container that gets volumes of a fail-over which were in none here; null if there is
  /// none.
  public @Nullable UUID landing(ReplicatedGroup group) {
    return volumes.landing(group).map(StorageContainer::id).orElse(null);
  }

  /// The bytes of all volumes of a replica together.
  public long sizeOf(Replica replica) {
    return replica.snapshots().values().stream().mapToLong(members::sizeOf).sum();
  }

  /// The devices of a group: at the source its volumes; at the target those of the newest replica,
  /// or of the one that it shows.
  public List<ReplicatedDevice> devices(ReplicatedGroup group) {
    return devices.of(group);
  }

  /// The devices of a replica of a group that has its target here.
  public List<ReplicatedDevice> devices(ReplicatedGroup group, Replica replica) {
    return devices.of(group, replica);
  }

  /// The volumes that a group has here now; none at a target.
  public List<VolumeInfo> volumes(ReplicatedGroup group) {
    return group.state().receives() ? List.of() : members.of(group.plan());
  }

  /// Makes a group that has its source here. Its first cycle begins at once.
  ///
  /// @throws VasaException (InvalidArgument) if the plan is out of range, names no peer, or has a
  ///   name that is taken, or if there are [GroupRecords#MOST] groups; (NotFound) if a volume or
  ///   virtual machine is unknown
  public ReplicatedGroup create(GroupPlan plan) {
    check(plan, null);
    requireMembers(plan);
    ReplicatedGroup group =
        new ReplicatedGroup(
            UUID.randomUUID(),
            plan,
            GroupState.SOURCE,
            clock.instant().truncatedTo(ChronoUnit.MILLIS), // as the times of cycles
            null,
            true,
            List.of(),
            null,
            plan.paused() ? clock.instant() : null);
    if (!records.add(group)) {
      throw VasaException.invalidArgument(
          "expected at most %d replication groups in a pool, and this one has them: remove one first"
              .formatted(GroupRecords.MOST));
    }
    history.accept(GroupChanges.of(group, ChangeKind.NEW));
    return group;
  }

  /// Changes the plan of a group at its source. The next cycle follows the new one.
  ///
  /// @throws VasaException as [#create]; (InvalidReplicationState) if the source is not here
  public ReplicatedGroup change(UUID id, UnaryOperator<GroupPlan> change) {
    return changes.alone(
        id,
        () -> {
          ReplicatedGroup group = require(id);
          if (group.state() != GroupState.SOURCE) {
            throw GroupFailures.state(group, "change its plan", GroupState.SOURCE);
          }
          GroupPlan plan = change.apply(group.plan());
          check(plan, id);
          if (!plan.peer().equals(group.plan().peer())) {
            throw VasaException.invalidArgument(
                    "expected the peer of %s to stay, got another one: make a new group"
                        .formatted(group.text()))
                .about("peer");
          }
          boolean sameMembers =
              plan.volumes().equals(group.plan().volumes())
                  && plan.machines().equals(group.plan().machines());
          if (!sameMembers) {
            requireMembers(plan);
          }
          ReplicatedGroup changed =
              records
                  .update(id, now -> now.planned(plan, clock.instant()))
                  .orElseThrow(() -> gone(id));
          rounds.hurry(id);
          history.accept(GroupChanges.of(changed, ChangeKind.UPDATE));
          return changed;
        });
  }

  private static VasaException gone(UUID id) {
    return VasaException.notFound("there is no replication group " + id);
  }

  private void check(GroupPlan plan, @Nullable UUID own) {
    if (!isPeer.test(plan.peer())) {
      throw VasaException.invalidArgument(
              "expected a pool that this one is paired with, got " + plan.peer())
          .about("peer");
    }
    if (plan.name().isBlank() || plan.name().length() > GroupPlan.LONGEST_NAME) {
      throw VasaException.invalidArgument(
              "expected a name of 1 to %d characters, got %d"
                  .formatted(GroupPlan.LONGEST_NAME, plan.name().length()))
          .about("name");
    }
    boolean isTaken =
        records.all().stream()
            .anyMatch(one -> one.plan().name().equals(plan.name()) && !one.id().equals(own));
    if (isTaken) {
      throw VasaException.invalidArgument(
              "expected a name that no replication group has, got \"%s\"".formatted(plan.name()))
          .about("name");
    }
    within("interval", plan.interval(), GroupPlan.SHORTEST, GroupPlan.LONGEST);
    within("rpo", plan.promise(), plan.interval(), GroupPlan.LONGEST_RPO);
    if (plan.keep().size() > GroupPlan.MOST_TIERS) {
      throw VasaException.invalidArgument(
              "expected at most %d tiers, got %d"
                  .formatted(GroupPlan.MOST_TIERS, plan.keep().size()))
          .about("keep");
    }
    for (PointTier tier : plan.keep()) {
      within("keep", tier.every(), GroupPlan.SHORTEST, GroupPlan.LONGEST_KEPT);
      within("keep", tier.keepFor(), tier.every(), GroupPlan.LONGEST_KEPT);
    }
  }

  private static void within(String field, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw VasaException.invalidArgument(
              "expected a time of %s to %s in %s, got %s".formatted(least, most, field, value))
          .about(field);
    }
  }

  private void requireMembers(GroupPlan plan) {
    List<VolumeInfo> found = members.of(plan);
    Set<UUID> ids = new HashSet<>();
    found.forEach(info -> ids.add(info.id().value()));
    for (UUID volume : plan.volumes()) {
      if (!ids.contains(volume)) {
        throw VasaException.notFound(
                "there is no volume %s here that could be replicated".formatted(volume))
            .about("members");
      }
    }
    for (String machine : plan.machines()) {
      if (members.of(plan.withMembers(List.of(machine), List.of())).isEmpty()) {
        throw VasaException.notFound("there is no virtual machine %s here".formatted(machine))
            .about("members");
      }
    }
    GroupMembers.requireOneCut("the group", found.size());
  }

  /// Runs a cycle now, at either end, and waits for its end.
  ///
  /// @return the replica that the target has then
  /// @throws VasaException (InvalidReplicationState) if no end is a source; (VasaProviderBusy) if a
  ///   cycle runs; (PeerNotReachable) if the other end is not reached; as the cycle failed
  public UUID synchronize(UUID id, String name, List<String> tags) {
    ReplicatedGroup group = require(id);
    UUID replica = synchronize(group, name, tags);
    history.accept(GroupChanges.of(group, "Synchronized", replica));
    return replica;
  }

  private UUID synchronize(ReplicatedGroup group, String name, List<String> tags) {
    UUID id = group.id();
    try {
      if (group.state() == GroupState.SOURCE) {
        return rounds.now(id, new CycleSender.Label(name, tags)).cycle();
      }
      if (!group.state().receives()) {
        throw GroupFailures.state(
            group, "synchronize it", GroupState.SOURCE, GroupState.TARGET, GroupState.INTEST);
      }
      try (Conversation conversation = connect.apply(group.plan().peer())) {
        String answer =
            conversation.call(
                GroupMessages.SYNCHRONIZE,
                GroupMessages.text(new GroupMessages.Wish(id, name, tags)));
        return GroupMessages.parse(answer, GroupMessages.Done.class).replica();
      }
    } catch (ReplicationException e) {
      throw GroupFailures.of(e, group.state().vasaName());
    }
  }

  /// Ends the replication of a group at this end. Its volumes stay; replicas and snapshots of
  /// cycles that this pool has of it are deleted. The other end keeps what it has: remove the group
  /// at its source first, else the next cycle makes it again.
  ///
  /// @throws VasaException (InvalidReplicationState) while a test or preparation goes on;
  ///   (ResourceInUse) if a replica is locked: the group stays
  public void remove(UUID id) {
    changes.alone(
        id,
        () -> {
          ReplicatedGroup group = require(id);
          if (group.state() == GroupState.INTEST || group.state() == GroupState.PREPARED) {
            throw GroupFailures.state(
                group, "remove it", GroupState.SOURCE, GroupState.TARGET, GroupState.FAILEDOVER);
          }
          rounds.without(
              id,
              () -> {
                stop.accept(id);
                drop(group);
                records.remove(id);
              });
          rounds.forget(id);
          history.accept(GroupChanges.of(group, ChangeKind.DELETE));
          return group;
        });
  }

  private void drop(ReplicatedGroup group) {
    try {
      volumes.drop(group.id());
    } catch (StorageException.Locked e) {
      throw FaultTranslation.of(e);
    }
  }

  /// Deletes the replicas that the tiers of a group do not keep: at a target, and at a source those
  /// from its time as the target. What its own cycles left is for them to delete
  /// ([CycleSender#KEPT]).
  void thin(UUID id) {
    ReplicatedGroup group = records.find(id).orElse(null);
    if (group == null || !(group.state().receives() || group.state() == GroupState.SOURCE)) {
      return;
    }
    List<Replica> all = catalog.of(id);
    List<Replica> surplus =
        ReplicaThinning.surplus(all, group.plan().keep(), group.replica(), clock.instant());
    for (Replica replica : surplus) {
      if (group.state().receives() || isOfTarget(group, all, replica)) {
        thin(group, replica);
      }
    }
  }

  /// Whether a replica that a source has came to it as the target, and is no base of cycles any
  /// more. A time tells: an end becomes the source after its last replica as the target was taken,
  /// unless the clocks of the pools differ, and then the newest stay all the same.
  private static boolean isOfTarget(ReplicatedGroup group, List<Replica> all, Replica replica) {
    return replica.taken().isBefore(group.since()) && all.indexOf(replica) >= CycleSender.KEPT;
  }

  private void thin(ReplicatedGroup group, Replica replica) {
    try {
      catalog.delete(group.id(), replica.cycle());
    } catch (StorageException.Locked e) {
      log.atDebug().log("a replica of {} is locked and stays", group.text());
    }
  }

  /// Makes sure that the volumes of a fail-over would have a container here.
  ///
  /// @throws VasaException (NotFound) if not
  public void requireLanding(ReplicatedGroup group) {
    volumes.container(group.landing());
  }

  /// Ids of the volumes that a test or a fail-over of a group shows here.
  public List<VolumeId> shown(ReplicatedGroup group) {
    return changes.held(group);
  }
}
