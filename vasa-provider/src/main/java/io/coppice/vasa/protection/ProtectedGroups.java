package io.coppice.vasa.protection;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.ClockReading;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The groups that policies protect. A machine or volume is in one group at most.
public final class ProtectedGroups {

  /// Most members of one group.
  public static final int MAX_MEMBERS = 256;

  private final GroupRows rows;
  private final PointRows points;
  private final VolumeStore store;
  private final GroupVolumes volumes;

  public ProtectedGroups(JdbcClient jdbc, VolumeStore store) {
    this.rows = new GroupRows(jdbc);
    this.points = new PointRows(jdbc);
    this.store = store;
    this.volumes = new GroupVolumes(store);
  }

  /// Begins to protect members. The first point comes with the next moment of a rule.
  ///
  /// @throws VasaException (InvalidArgument) if the name is empty, too long or taken, there are no
  ///   members, too many or one twice, or the policy is unknown; (NotFound) if a member is;
  ///   (ResourceInUse) if one is in a group already
  public ProtectedGroup protect(String name, UUID policy, List<ProtectedMember> members) {
    check(name, members);
    ProtectedGroup group =
        new ProtectedGroup(UUID.randomUUID(), name, policy, members, reading(store), null);
    volumes.require(members);
    try {
      store.log().inTransaction(() -> rows.insert(group));
    } catch (DuplicateKeyException e) {
      throw taken(group, e);
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
              new Fault.InvalidArgument(), "there is no protection policy " + policy, e)
          .about("policy");
    }
    return group;
  }

  private static void check(String name, List<ProtectedMember> members) {
    int longest = ProtectionPolicies.MAX_NAME_LENGTH;
    if (name.isBlank() || name.length() > longest) {
      throw VasaException.invalidArgument(
              "expected a group name of 1 to %d characters, got %d"
                  .formatted(longest, name.length()))
          .about("name");
    }
    if (members.isEmpty() || members.size() > MAX_MEMBERS) {
      throw VasaException.invalidArgument(
              "expected 1 to %d members, got %d".formatted(MAX_MEMBERS, members.size()))
          .about("members");
    }
    if (new HashSet<>(members).size() < members.size()) {
      throw VasaException.invalidArgument("expected each member once, got one twice")
          .about("members");
    }
  }

  private VasaException taken(ProtectedGroup group, DuplicateKeyException e) {
    boolean named = rows.list().stream().anyMatch(other -> other.name().equals(group.name()));
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

  /// Ends the protection. The snapshots that were taken stay until somebody deletes them.
  ///
  /// @throws VasaException (NotFound) if it is unknown
  public void release(UUID id) {
    if (!rows.delete(id)) {
      throw VasaException.notFound("there is no protected group " + id);
    }
  }

  /// @throws VasaException (NotFound) if it is unknown
  public ProtectedGroup require(UUID id) {
    return rows.find(id)
        .orElseThrow(() -> VasaException.notFound("there is no protected group " + id));
  }

  /// All of them, by name.
  public List<ProtectedGroup> list() {
    return rows.list();
  }

  /// The points of a group, the oldest first, by the time that has passed.
  public List<RecoveryPoint> points(UUID id) {
    return points.of(id);
  }

  static ClockReading reading(VolumeStore store) {
    return new ClockReading(store.seen(), store.now());
  }
}
