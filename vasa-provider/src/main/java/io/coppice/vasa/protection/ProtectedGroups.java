package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.rule.ClockReading;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The groups that policies protect. A machine or volume is in one group at most. A token that is
/// bound to containers sees and makes groups of plain volumes in its containers alone.
///
/// Changes of one group, its points on demand and its rounds exclude each other ([#alone]).
@Service
public final class ProtectedGroups {

  /// Most members of one group.
  public static final int MAX_MEMBERS = 256;

  private final GroupRows rows;
  private final GroupTurns turns = new GroupTurns();
  private final ProtectionPolicies policies;
  private final RecoveryPoints points;
  private final VolumeStore store;
  private final GroupVolumes volumes;
  private final ContinuousProtection continuous;

  public ProtectedGroups(
      JdbcClient jdbc,
      VolumeStore store,
      ProtectionPolicies policies,
      RecoveryPoints points,
      ContinuousProtection continuous) {
    this.continuous = continuous;
    this.rows = new GroupRows(jdbc);
    this.policies = policies;
    this.points = points;
    this.store = store;
    this.volumes = new GroupVolumes(store);
  }

  GroupRows rows() {
    return rows;
  }

  GroupTurns turns() {
    return turns;
  }

  /// The result of a call, made while nobody else changes the group or takes points of it.
  public <T> T alone(UUID id, Supplier<T> call) {
    require(id);
    return turns.alone(id, call);
  }

  /// Begins to protect members. The first point comes with the next moment of a rule.
  ///
  /// @throws VasaException (InvalidArgument) if the name is empty, too long or taken, or there are
  ///   no members, too many or one twice; (NotFound) if the policy or a member is unknown;
  ///   (NotSupported) if a member is a snapshot; (ResourceInUse) if one is in a group already;
  ///   (PermissionDenied) if a token that is bound to containers names a machine
  public ProtectedGroup protect(GroupDraft draft) {
    check(draft);
    ProtectedGroup group =
        new ProtectedGroup(
            UUID.randomUUID(),
            draft.name(),
            draft.policy(),
            draft.members(),
            reading(store),
            0,
            null);
    volumes.require(group.members());
    write(group, ChangeKind.NEW, () -> rows.insert(group));
    return group;
  }

  /// Changes a group. Its points stay; those of rules that its policy does not have stay until
  /// somebody deletes them.
  ///
  /// @param change from the group as it is to the group as it is wanted
  /// @throws VasaException (NotFound) if it is unknown; otherwise as [#protect], but members that
  ///   it has already may be gone
  public ProtectedGroup change(UUID id, UnaryOperator<GroupDraft> change) {
    return alone(id, () -> changed(require(id), change));
  }

  private ProtectedGroup changed(ProtectedGroup before, UnaryOperator<GroupDraft> change) {
    GroupDraft now = new GroupDraft(before.name(), before.policy(), before.members());
    GroupDraft wanted = change.apply(now);
    if (wanted.equals(now)) {
      return before;
    }
    check(wanted);
    Set<ProtectedMember> known = Set.copyOf(before.members());
    volumes.require(wanted.members().stream().filter(one -> !known.contains(one)).toList());
    ProtectedGroup group =
        new ProtectedGroup(
            before.id(),
            wanted.name(),
            wanted.policy(),
            wanted.members(),
            before.handled(),
            before.revision() + 1,
            before.lastError());
    write(group, ChangeKind.UPDATE, () -> rows.update(group));
    return require(before.id());
  }

  private void write(ProtectedGroup group, ChangeKind kind, Runnable change) {
    try {
      store
          .log()
          .inTransaction(
              () -> {
                change.run();
                store.changes().append(ProtectionChanges.of(group, kind, nameOfPolicy(group)));
              });
    } catch (DuplicateKeyException e) {
      throw taken(group, e);
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
              new Fault.NotFound(), "there is no protection policy " + group.policy(), e)
          .about("policy");
    }
  }

  private String nameOfPolicy(ProtectedGroup group) {
    return "%s (%s)".formatted(policies.require(group.policy()).name(), group.policy());
  }

  private static void check(GroupDraft draft) {
    int longest = ProtectionPolicies.MAX_NAME_LENGTH;
    if (draft.name().isBlank() || draft.name().length() > longest) {
      throw VasaException.invalidArgument(
              "expected a group name of 1 to %d characters, got %d"
                  .formatted(longest, draft.name().length()))
          .about("name");
    }
    List<ProtectedMember> members = draft.members();
    if (members.isEmpty() || members.size() > MAX_MEMBERS) {
      throw VasaException.invalidArgument(
              "expected 1 to %d members, got %d".formatted(MAX_MEMBERS, members.size()))
          .about("members");
    }
    if (new HashSet<>(members).size() < members.size()) {
      throw VasaException.invalidArgument("expected each member once, got one twice")
          .about("members");
    }
    if (Viewer.boundToken().isPresent()
        && members.stream().anyMatch(ProtectedMember.Machine.class::isInstance)) {
      throw new VasaException(
              new Fault.PermissionDenied(),
              "expected plain volumes, which a token for some containers may protect, got a virtual machine")
          .about("members");
    }
  }

  private VasaException taken(ProtectedGroup group, DuplicateKeyException e) {
    boolean named = rows.isNamed(group.name(), group.id());
    return named
        ? new VasaException(
                new Fault.InvalidArgument(),
                "expected an unused group name, but '%s' is taken".formatted(group.name()),
                e)
            .about("name")
        : new VasaException(
                new Fault.ResourceInUse(),
                "expected members that no other group has, but one of '%s' is in one already"
                    .formatted(group.name()),
                e)
            .about("members");
  }

  /// Ends the protection.
  ///
  /// @param end what becomes of the snapshots of its points. If they stay, they do so until
  ///   somebody deletes them. If they are purged, journals that no other group wants end, too
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if a snapshot to be deleted
  ///   is in use: the group stays
  public void release(UUID id, PointsEnd end) {
    alone(
        id,
        () -> {
          ProtectedGroup group = require(id);
          if (end != PointsEnd.KEEP) {
            points.delete(points.of(id), group.name(), end == PointsEnd.PURGE);
          }
          List<VolumeId> ended = end == PointsEnd.PURGE ? continuous.journaled(id) : List.of();
          write(
              group,
              ChangeKind.DELETE,
              () -> {
                rows.delete(id);
                continuous.endNow(ended);
              });
          return id;
        });
    turns.forget(id);
    if (end == PointsEnd.PURGE) {
      continuous.round();
    }
  }

  /// Takes a point at once that no rule asked for and none gives up. What is due stays due.
  ///
  /// @param name of its snapshots
  /// @throws VasaException (NotFound) if the group is unknown or has no volumes; otherwise as
  ///   [io.coppice.vasa.volume.snapshot.Snapshots#takeNow]
  public KeptPoint takeNow(UUID id, String name) {
    return alone(
        id,
        () -> {
          RecoveryPoint point = new RecoveryPoint(UUID.randomUUID(), store.seen(), Set.of());
          return points.take(require(id), point, name, Duration.ZERO, () -> {});
        });
  }

  /// Takes a point at once and locks it, unless the group has one that is younger than `pause` and
  /// whose name has the same beginning. No rule gives it up, and what is due stays due.
  ///
  /// @param beginning of the name of its snapshots; the time follows
  /// @param lock more than zero
  /// @return the new point, or the one that is there
  /// @throws VasaException as [#takeNow]
  public KeptPoint takeLocked(UUID id, String beginning, Duration lock, Duration pause) {
    return alone(
        id,
        () -> {
          Instant now = store.seen();
          return points.of(id).stream()
              .filter(point -> point.name().startsWith(beginning))
              .filter(point -> point.point().taken().isAfter(now.minus(pause)))
              .findFirst()
              .orElseGet(
                  () -> {
                    RecoveryPoint point = new RecoveryPoint(UUID.randomUUID(), now, Set.of());
                    String name =
                        "%s %s".formatted(beginning, store.now().truncatedTo(ChronoUnit.SECONDS));
                    return points.take(require(id), point, name, lock, () -> {});
                  });
        });
  }

  /// The groups that protect a volume: its own and that of its machine.
  ///
  /// @param machine id of its virtual machine; null for none
  public List<ProtectedGroup> protecting(VolumeId volume, @Nullable String machine) {
    List<ProtectedGroup> found = new ArrayList<>(rows.of(new ProtectedMember.Volume(volume)));
    if (machine != null) {
      found.addAll(rows.of(new ProtectedMember.Machine(machine)));
    }
    return found;
  }

  /// Locks the snapshots of a point, or lengthens their locks.
  ///
  /// @throws VasaException (NotFound) if it is unknown; otherwise as
  ///   [io.coppice.vasa.volume.snapshot.LockedSnapshots#lock]
  public KeptPoint lockPoint(UUID id, Instant until) {
    return alone(
        points.require(id).group(),
        () -> {
          KeptPoint point = points.require(id);
          points.lock(point, until);
          return point;
        });
  }

  /// Deletes a point with its snapshots.
  ///
  /// @param purge whether it goes at once, past the recycle bin
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if a snapshot is in use
  public void deletePoint(UUID id, boolean purge) {
    UUID group = points.require(id).group();
    alone(
        group,
        () -> {
          points.delete(List.of(points.require(id)), require(group).name(), purge);
          return id;
        });
  }

  /// @throws VasaException (NotFound) if it is unknown
  public ProtectedGroup require(UUID id) {
    return rows.find(id)
        .orElseThrow(() -> VasaException.notFound("there is no protection group " + id));
  }

  /// All of them, by name.
  public List<ProtectedGroup> list() {
    return rows.list();
  }

  /// The effect of a draft on the groups of a policy, if its rules and tiers took the place of
  /// those of the policy now. Nothing changes. Some statements for each group.
  ///
  /// @throws VasaException (NotFound) if the policy is unknown; (InvalidArgument) if it could not
  ///   be as the draft says
  public ProtectionEffect effectOf(UUID policy, ProtectionDraft draft) {
    ProtectionPolicy now = policies.require(policy);
    policies.check(draft);
    Instant seen = store.seen();
    List<ProtectionEffect.OfGroup> effects = new ArrayList<>();
    for (ProtectedGroup group : rows.list()) {
      if (group.policy().equals(policy)) {
        effects.add(
            ProtectionEffect.OfGroup.of(
                group,
                volumes.all(group.members()).size(),
                kept(group.id()),
                now.rules(),
                draft.rules(),
                seen));
      }
    }
    return new ProtectionEffect(effects, now.continuous().beyond(draft.continuous()));
  }

  /// The points of a group that have a snapshot, the oldest first: others are none any more.
  private List<RecoveryPoint> kept(UUID group) {
    return points.of(group).stream()
        .filter(point -> !point.snapshots().isEmpty())
        .map(KeptPoint::point)
        .toList();
  }

  /// Counts of all groups, in one statement, whoever may see them.
  public ProtectionCounts counts() {
    return rows.counts(store.seen());
  }

  /// The next moment of a group's rules, by the machine's clock; absent without rules. One that is
  /// over already is tried again each minute.
  ///
  /// @param rules of its policy
  public Optional<Instant> next(ProtectedGroup group, ProtectionRules rules) {
    ClockReading now = reading(store);
    return rules.next(ProtectionRules.anchor(group.handled(), now), now);
  }

  static ClockReading reading(VolumeStore store) {
    return new ClockReading(store.seen(), store.now());
  }
}
