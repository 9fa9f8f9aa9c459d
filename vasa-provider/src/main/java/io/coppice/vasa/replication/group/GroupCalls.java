package io.coppice.vasa.replication.group;

import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.intake.TargetRules;
import io.coppice.replication.source.CycleSender;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.replication.pairing.PeerText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/// The answers of this end to its peers. Whoever calls is known by the certificate of the link.
final class GroupCalls implements TargetRules {

  private final GroupRecords records;
  private final CycleRounds rounds;
  private final RoleChanges changes;
  private final Predicate<UUID> isPeer;
  private final Consumer<UUID> received;
  private final InstantSource clock;

  /// @param isPeer whether this pool is paired with the one of an id
  /// @param received hears of a group that has one more replica here
  GroupCalls(
      GroupRecords records,
      CycleRounds rounds,
      RoleChanges changes,
      Predicate<UUID> isPeer,
      Consumer<UUID> received,
      InstantSource clock) {
    this.records = records;
    this.rounds = rounds;
    this.changes = changes;
    this.isPeer = isPeer;
    this.received = received;
    this.clock = clock;
  }

  @Override
  public void admit(PoolName peer) {
    if (!isPeer.test(peer.id())) {
      throw new ReplicationException(
          Reason.FORBIDDEN, "Pool %s is not paired with this one.".formatted(peer));
    }
  }

  @Override
  public void admit(PoolName peer, UUID id) {
    admit(peer);
    ReplicatedGroup group = require(peer, id);
    if (!group.state().receives() || !group.settled()) {
      throw new ReplicationException(
          Reason.STATE,
          "Expected %s in state TARGET to receive a cycle, it is in state %s here."
              .formatted(group.text(), group.state()));
    }
  }

  private ReplicatedGroup require(PoolName peer, UUID id) {
    ReplicatedGroup group =
        records
            .find(id)
            .orElseThrow(
                () ->
                    new ReplicationException(
                        Reason.STATE, "There is no replication group %s here.".formatted(id)));
    if (!group.plan().peer().equals(peer.id())) {
      throw new ReplicationException(
          Reason.FORBIDDEN,
          "Expected pool %s to speak of %s, got pool %s."
              .formatted(group.plan().peer(), group.text(), peer));
    }
    return group;
  }

  @Override
  public void received(PoolName peer, UUID group, UUID cycle) {
    received.accept(group);
  }

  @Override
  public String answer(PoolName peer, String subject, String text) {
    admit(peer);
    return translated(
        () ->
            switch (subject) {
              case GroupMessages.DESCRIBE ->
                  describe(peer, GroupMessages.parse(text, GroupMessages.Description.class));
              case GroupMessages.SYNCHRONIZE ->
                  synchronize(peer, GroupMessages.parse(text, GroupMessages.Wish.class));
              case GroupMessages.TURN -> {
                UUID id = turned(peer, text);
                yield new GroupMessages.Standing(changes.giveWay(id).state());
              }
              case GroupMessages.PREPARED ->
                  new GroupMessages.Done(changes.preparedReplica(turned(peer, text)));
              default ->
                  throw new ReplicationException(
                      Reason.STATE,
                      "Expected a subject that this pool knows, got %s: upgrade the older pool."
                          .formatted(subject));
            });
  }

  private UUID turned(PoolName peer, String text) {
    return require(peer, GroupMessages.parse(text, GroupMessages.Turn.class).group()).id();
  }

  private static String translated(Supplier<Object> answer) {
    try {
      return GroupMessages.text(answer.get());
    } catch (VasaException e) {
      Reason reason =
          switch (e.fault()) {
            case Fault.PeerNotReachable _ -> Reason.UNREACHABLE;
            case Fault.VasaProviderBusy _ -> Reason.BUSY;
            case Fault.OutOfResource _ -> Reason.OUT_OF_SPACE;
            default -> Reason.STATE;
          };
      throw new ReplicationException(reason, "The other pool answered: " + e.getMessage(), e);
    } catch (DataAccessException | TransactionException e) {
      throw new ReplicationException(
          Reason.POOL_FAILED, "The other pool's control plane has no database now.", e);
    }
  }

  private GroupMessages.Done synchronize(PoolName peer, GroupMessages.Wish wish) {
    ReplicatedGroup group = require(peer, wish.group());
    CycleSender.Label label = new CycleSender.Label(wish.name(), wish.tags());
    return new GroupMessages.Done(rounds.now(group.id(), label).cycle());
  }

  /// Takes what the source says of a group, and makes the group if it is new.
  private GroupMessages.Standing describe(PoolName peer, GroupMessages.Description told) {
    return changes.alone(
        told.group(),
        () -> {
          ReplicatedGroup known = records.find(told.group()).orElse(null);
          GroupPlan plan = plan(peer, told, known == null ? null : known.plan().container());
          if (known == null) {
            add(
                new ReplicatedGroup(
                    told.group(),
                    plan,
                    GroupState.TARGET,
                    clock.instant(),
                    null,
                    true,
                    List.of(),
                    told.container(),
                    null));
            return new GroupMessages.Standing(GroupState.TARGET);
          }
          require(peer, told.group());
          boolean isNews =
              !known.plan().equals(plan) || !Objects.equals(known.landing(), told.container());
          if (known.state().receives() && isNews) {
            records.update(told.group(), now -> now.described(plan, told.container()));
          }
          return new GroupMessages.Standing(known.state());
        });
  }

  private void add(ReplicatedGroup group) {
    if (!records.add(group)) {
      throw new ReplicationException(
          Reason.STATE,
          "Expected at most %d replication groups in a pool, and this one has them: remove one first."
              .formatted(GroupRecords.MOST));
    }
  }

  /// @param container what this end would tell the other one as the source
  private static GroupPlan plan(
      PoolName peer, GroupMessages.Description told, @Nullable String container) {
    Duration interval = told.interval();
    Duration rpo = told.rpo();
    List<PointTier> keep = told.keep();
    boolean isWhole =
        told.name() != null
            && !told.name().isBlank()
            && interval != null
            && keep != null
            && told.machines() != null;
    if (!isWhole
        || told.name().length() > GroupPlan.LONGEST_NAME
        || keep.size() > GroupPlan.MOST_TIERS
        || interval.compareTo(GroupPlan.SHORTEST) < 0
        || interval.compareTo(GroupPlan.LONGEST) > 0
        || (rpo != null && !GroupPlan.isPromise(rpo, interval))) {
      throw new ReplicationException(
          Reason.DAMAGED,
          "Expected a group with a name, interval, RPO and tiers, got another one.");
    }
    return new GroupPlan(
        PeerText.line(told.name()),
        peer.id(),
        interval,
        rpo,
        keep,
        told.machines(),
        List.of(),
        container,
        false);
  }
}
