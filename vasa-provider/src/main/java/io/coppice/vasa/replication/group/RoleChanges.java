package io.coppice.vasa.replication.group;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.replication.source.CycleSender;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The changes of the role that this end has in a group: fail-over, its test, its preparation, and
/// the reversal.
///
/// *Crash argument:* the record of the group gets its new state first, unsettled; the volumes
/// follow, each step of which may be repeated; then the record is settled. [#settleAll] repeats the
/// steps of what a crash left unsettled. While a group is unsettled, it takes no cycle and no other
/// change. Safe for any thread.
public final class RoleChanges {

  private static final Logger log = LoggerFactory.getLogger(RoleChanges.class);
  private static final String PREPARING = "prepare a fail-over";
  private static final String BECOMING = "become the source";
  private static final GroupState[] FAILED_OVER_OR_PREPARED = {
    GroupState.FAILEDOVER, GroupState.REMOTE_FAILEDOVER, GroupState.PREPARED
  };

  private final GroupRecords records;
  private final ReplicaCatalog catalog;
  private final GroupMembers members;
  private final ReplicaVolumes volumes;
  private final VirtualVolumes virtual;
  private final CycleRounds rounds;
  private final Function<UUID, Conversation> connect;
  private final Consumer<UUID> stop;
  private final Consumer<NewChange> history;
  private final InstantSource clock;
  private final GroupLocks locks = new GroupLocks();

  /// @param connect calls the peer with an id
  /// @param stop ends the cycle of a group that comes in
  /// @param history hears of each change
  RoleChanges(
      GroupRecords records,
      ReplicaCatalog catalog,
      GroupMembers members,
      ReplicaVolumes volumes,
      VirtualVolumes virtual,
      CycleRounds rounds,
      Function<UUID, Conversation> connect,
      Consumer<UUID> stop,
      Consumer<NewChange> history,
      InstantSource clock) {
    this.records = records;
    this.catalog = catalog;
    this.members = members;
    this.volumes = volumes;
    this.virtual = virtual;
    this.rounds = rounds;
    this.connect = connect;
    this.stop = stop;
    this.history = history;
    this.clock = clock;
  }

  // ---- turns

  /// As [GroupLocks#alone].
  <T> T alone(UUID id, Supplier<T> work) {
    return locks.alone(id, () -> translated(id, work));
  }

  /// Says a failure that a peer or the link reported with the state of the group here.
  private <T> T translated(UUID id, Supplier<T> work) {
    return GroupFailures.translated(
        work, () -> records.find(id).map(group -> group.state().vasaName()).orElse(""));
  }

  ReplicatedGroup require(UUID id) {
    return records
        .find(id)
        .orElseThrow(() -> VasaException.notFound("there is no replication group " + id));
  }

  private ReplicatedGroup require(UUID id, String change, GroupState... desired) {
    ReplicatedGroup group = require(id);
    if (!Arrays.asList(desired).contains(group.state())) {
      throw GroupFailures.state(group, change, desired);
    }
    if (!group.settled()) {
      return settle(group);
    }
    return group;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private ReplicatedGroup noted(ReplicatedGroup group, String what) {
    history.accept(GroupChanges.of(group, what, group.replica()));
    return group;
  }

  private ReplicatedGroup put(ReplicatedGroup group) {
    records.put(group);
    return group;
  }

  // ---- at the target

  /// The replica that a fail-over or a test of a group would use.
  ///
  /// @param cycle null for the newest one
  /// @throws VasaException (NoValidReplica) if it is not there
  Replica replica(ReplicatedGroup group, @Nullable UUID cycle) {
    return (cycle == null
            ? catalog.of(group.id()).stream().findFirst()
            : catalog.find(group.id(), cycle))
        .orElseThrow(
            () ->
                new VasaException(
                    new Fault.NoValidReplica(),
                    cycle == null
                        ? "%s has no replica here yet".formatted(group.text())
                        : "%s has no replica %s here".formatted(group.text(), cycle)));
  }

  /// Makes a replica the running volumes. Cycles are refused from now on.
  ///
  /// @param cycle of the replica; null for the newest one
  /// @param planned whether the source must have prepared it; else the source is not called
  /// @param checkOnly whether nothing is changed
  /// @throws VasaException (InvalidReplicationState) if the group is no target here, or is planned
  ///   and not prepared; (NoValidReplica) if there is no such replica; (NotFound) if the container
  ///   for the volumes is not there
  public ReplicatedGroup failOver(
      UUID id, @Nullable UUID cycle, boolean planned, boolean checkOnly) {
    return alone(
        id,
        () -> {
          ReplicatedGroup group = require(id, "fail over", GroupState.TARGET);
          UUID wanted = planned ? prepared(group, cycle) : cycle;
          Replica replica = replica(group, wanted);
          volumes.container(group.landing());
          if (checkOnly) {
            return group;
          }
          ReplicatedGroup begun =
              put(group.begin(GroupState.FAILEDOVER, replica.cycle(), now()).holding(List.of()));
          stop.accept(id);
          return noted(settle(begun), "FailedOver");
        });
  }

  private UUID prepared(ReplicatedGroup group, @Nullable UUID cycle) {
    UUID prepared;
    try (Conversation conversation = connect.apply(group.plan().peer())) {
      prepared =
          GroupMessages.parse(
                  conversation.call(
                      GroupMessages.PREPARED,
                      GroupMessages.text(new GroupMessages.Turn(group.id()))),
                  GroupMessages.Done.class)
              .replica();
    }
    if (cycle != null && !cycle.equals(prepared)) {
      throw VasaException.invalidArgument(
              "expected the prepared replica %s in a planned fail-over, got %s"
                  .formatted(prepared, cycle))
          .about("replica");
    }
    return prepared;
  }

  /// Shows a replica as volumes for a test. Cycles go on.
  ///
  /// @param cycle of the replica; null for the newest one
  /// @throws VasaException as [#failOver]
  public ReplicatedGroup startTest(UUID id, @Nullable UUID cycle, boolean checkOnly) {
    return alone(
        id,
        () -> {
          ReplicatedGroup group = require(id, "begin a test", GroupState.TARGET);
          Replica replica = replica(group, cycle);
          volumes.container(group.landing());
          if (checkOnly) {
            return group;
          }
          ReplicatedGroup begun = group.begin(GroupState.INTEST, replica.cycle(), now());
          return noted(settle(put(begun.holding(ReplicaVolumes.ofTest(begun, replica)))), "Tested");
        });
  }

  /// Ends a test: its volumes are deleted for good.
  ///
  /// @throws VasaException (ResourceInUse) if one is in use: it stays, and the test goes on with
  ///   it; (InvalidReplicationState) if there is no test
  public ReplicatedGroup stopTest(UUID id) {
    return alone(
        id,
        () -> {
          ReplicatedGroup group = require(id, "end a test", GroupState.INTEST);
          for (VolumeInfo info : members.held(group)) {
            virtual.deleteForGood(info.id());
          }
          return noted(
              put(group.begin(GroupState.TARGET, null, now()).holding(List.of()).settle()),
              "TestEnded");
        });
  }

  /// Makes the volumes of a test the running ones. They keep their ids.
  ///
  /// @param planned whether the source must have prepared the replica that the test shows; else the
  ///   source is not called
  /// @throws VasaException (InvalidReplicationState) if there is no test, or it is planned and the
  ///   source is not prepared; (InvalidArgument) if the test shows another replica than the
  ///   prepared one
  public ReplicatedGroup promote(UUID id, boolean planned) {
    return alone(
        id,
        () -> {
          ReplicatedGroup group = require(id, "promote a test", GroupState.INTEST);
          if (planned) {
            prepared(group, group.replica());
          }
          ReplicatedGroup begun = put(group.begin(GroupState.FAILEDOVER, group.replica(), now()));
          stop.accept(id);
          return noted(settle(begun), "Promoted");
        });
  }

  // ---- at the source

  /// Prepares a planned fail-over: takes the volumes out of use, and sends what the target lacks.
  ///
  /// The last cycle may take long, so it runs without the group's lock, in its [CycleRounds#inTurn]
  /// alone. What may happen meanwhile:
  ///
  /// - Another call of this one finds the state PREPARED without a replica, and the turn taken: it
  ///   is told so. If it comes just after, it finds the replica, which is recorded in that turn. So
  ///   there is one, however many calls there are.
  /// - A reversal, here ([#reverse]) or by the other end ([#giveWay]), has the lock, ends the cycle
  ///   and waits for the turn before it changes the record. This call fails with the link. If its
  ///   replica was recorded just before, the reversal comes after it, and is the last to speak.
  /// - Every other change is refused in the state PREPARED. So whoever has the turn may record the
  ///   replica without the lock: nobody else writes the record meanwhile.
  /// - A crash leaves the state PREPARED without a replica, settled: the call may be repeated.
  ///
  /// @throws VasaException (ResourceInUse) if a volume is bound or exported: nothing changed;
  ///   (VasaProviderBusy) if another call sends the rest; (PeerNotReachable) if the target is not
  ///   reached: the volumes are out of use, and the call may be repeated, or the group reversed
  ///   here to go on
  public ReplicatedGroup prepare(UUID id) {
    ReplicatedGroup begun = alone(id, () -> takeOutOfUse(id));
    return begun.replica() != null
        ? begun
        : translated(id, () -> rounds.inTurn(id, Duration.ZERO, cycle -> sendTheRest(id, cycle)));
  }

  private ReplicatedGroup takeOutOfUse(UUID id) {
    ReplicatedGroup group = require(id);
    if (group.state() == GroupState.SOURCE) {
      List<VolumeInfo> all = members.of(group.plan());
      GroupMembers.requireOneCut(group.text(), all.size());
      ReplicatedGroup begun =
          group
              .begin(GroupState.PREPARED, null, now())
              .holding(all.stream().map(info -> info.id().value()).toList());
      rounds.without(id, () -> demote(group, begun));
    } else if (group.state() != GroupState.PREPARED) {
      throw GroupFailures.state(group, PREPARING, GroupState.SOURCE);
    }
    return settle(require(id));
  }

  private ReplicatedGroup sendTheRest(UUID id, Function<CycleSender.Label, Replica> cycle) {
    ReplicatedGroup group = require(id);
    if (group.state() != GroupState.PREPARED || !group.settled()) { // reversed since
      throw GroupFailures.state(group, PREPARING, GroupState.PREPARED);
    }
    if (group.replica() != null) {
      return group;
    }
    UUID replica = cycle.apply(new CycleSender.Label("prepared", List.of())).cycle();
    return noted(
        put(group.begin(GroupState.PREPARED, replica, group.since()).settle()), "Prepared");
  }

  /// Gives a group its new state and takes its volumes out of use; puts the old state back if one
  /// of them is in use.
  private void demote(ReplicatedGroup before, ReplicatedGroup begun) {
    put(begun);
    try {
      volumes.demote(begun, members.held(begun), begun.id());
    } catch (VasaException e) {
      put(before);
      throw e;
    }
  }

  /// Makes this end the source and the other one the target. At the end whose volumes shall go on.
  /// Ends the last cycle of a preparation ([#prepare]), and lets none begin until the record says
  /// that this end is the source.
  ///
  /// @throws VasaException (InvalidReplicationState) if this end has no volumes of the group;
  ///   (PeerNotReachable) if the other end is not reached; as the other end refused, such as while
  ///   its volumes are in use
  public ReplicatedGroup reverse(UUID id) {
    return alone(
        id,
        () -> {
          require(id, BECOMING, FAILED_OVER_OR_PREPARED);
          rounds.without(
              id,
              () -> {
                ReplicatedGroup group = require(id, BECOMING, FAILED_OVER_OR_PREPARED);
                askToGiveWay(group);
                boolean isOutOfUse = group.state() == GroupState.PREPARED;
                put(
                    group
                        .begin(GroupState.SOURCE, null, now())
                        .holding(isOutOfUse ? group.held() : List.of()));
              });
          ReplicatedGroup settled = settle(require(id));
          rounds.hurry(id);
          return noted(settled, "Reversed");
        });
  }

  /// Asks the other end to be the target. A group whose preparation failed goes on without the
  /// answer of an end that is not reached: that one waits for a replica that is not there, and if
  /// somebody has made it fail over, the next cycle says so.
  private void askToGiveWay(ReplicatedGroup group) {
    try (Conversation conversation = connect.apply(group.plan().peer())) {
      conversation.call(GroupMessages.TURN, GroupMessages.text(new GroupMessages.Turn(group.id())));
    } catch (ReplicationException e) {
      boolean isHalfPrepared = group.state() == GroupState.PREPARED && group.replica() == null;
      if (!isHalfPrepared || e.reason() != Reason.UNREACHABLE) {
        throw e;
      }
    }
  }

  /// Becomes the target, as the other end demands.
  ///
  /// @throws VasaException (ResourceInUse) if a volume here is bound or exported: nothing changed
  ReplicatedGroup giveWay(UUID id) {
    return alone(
        id,
        () -> {
          ReplicatedGroup group = require(id);
          if (!group.settled()) {
            group = settle(group);
          }
          ReplicatedGroup before = group;
          switch (group.state()) {
            case TARGET, INTEST -> {}
            case PREPARED -> // ends the last cycle of the preparation
                rounds.without(
                    id,
                    () ->
                        put(
                            require(id)
                                .begin(GroupState.TARGET, null, now())
                                .holding(List.of())
                                .settle()));
            case SOURCE, REMOTE_FAILEDOVER, FAILEDOVER -> {
              ReplicatedGroup begun =
                  group
                      .begin(GroupState.TARGET, null, now())
                      .holding(replicated(group).stream().map(info -> info.id().value()).toList());
              rounds.without(id, () -> demote(before, begun));
              settle(begun);
            }
          }
          ReplicatedGroup now = require(id);
          return now.state() == before.state() ? now : noted(now, "Turned");
        });
  }

  /// The volumes of a group that cycles have taken along. One that no cycle has seen yet is at no
  /// other end, so it stays in use when this end becomes the target.
  private List<VolumeInfo> replicated(ReplicatedGroup group) {
    return members.of(group.plan()).stream()
        .filter(
            info -> {
              UUID member = GroupMembers.memberOf(group.id(), info);
              return catalog.of(group.id()).stream()
                  .anyMatch(replica -> replica.snapshots().containsKey(member));
            })
        .toList();
  }

  /// The replica that a planned fail-over needs.
  ///
  /// @throws VasaException (InvalidReplicationState) if the group is not prepared here
  UUID preparedReplica(UUID id) {
    ReplicatedGroup group = require(id);
    UUID replica = group.replica();
    if (group.state() != GroupState.PREPARED || replica == null) {
      throw GroupFailures.state(group, "fail over as planned", GroupState.PREPARED);
    }
    return replica;
  }

  // ---- after a crash

  /// Does the rest of the changes that a crash cut. One that fails again stays unsettled.
  public void settleAll() {
    for (ReplicatedGroup group : records.all()) {
      if (!group.settled()) {
        try {
          alone(group.id(), () -> settle(require(group.id())));
        } catch (RuntimeException e) {
          log.atError().setCause(e).log("the state of {} is not settled", group.text());
        }
      }
    }
  }

  private ReplicatedGroup settle(ReplicatedGroup group) {
    if (group.settled()) {
      return group;
    }
    return put(
        switch (group.state()) {
          case FAILEDOVER -> settleFailOver(group).settle();
          case INTEST -> {
            volumes.show(group, replica(group, group.replica()));
            yield group.settle();
          }
          case PREPARED -> {
            volumes.demote(group, members.held(group), group.id());
            yield group.settle();
          }
          case TARGET -> {
            List<VolumeInfo> held = members.held(group);
            volumes.demote(group, held, group.id());
            volumes.keep(group, held, group.since());
            yield group.holding(List.of()).settle();
          }
          case SOURCE -> {
            volumes.release(group, group.held());
            yield group.holding(List.of()).settle();
          }
          case REMOTE_FAILEDOVER -> group.settle();
        });
  }

  private ReplicatedGroup settleFailOver(ReplicatedGroup group) {
    Replica replica = replica(group, group.replica());
    List<UUID> running;
    if (group.held().isEmpty()) {
      running = volumes.release(group, replica);
    } else {
      volumes.adopt(group, replica);
      running = group.held();
    }
    return group.holding(running).with(group.plan().withMembers(group.plan().machines(), running));
  }

  /// The volumes that the state of a group is about, as they are now.
  List<VolumeId> held(ReplicatedGroup group) {
    return members.held(group).stream().map(VolumeInfo::id).toList();
  }
}
