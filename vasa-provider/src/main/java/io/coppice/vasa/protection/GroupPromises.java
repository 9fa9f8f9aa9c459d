package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.policy.PointPromise;
import io.coppice.vasa.volume.policy.PromisedPoints;
import io.coppice.vasa.volume.snapshot.LockLimit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The promises of protection groups for the volumes of their members.
///
/// A volume has a point of a group only if the point has a snapshot of it: it may have come to the
/// group, or to its virtual machine, after the point was taken.
@Service
public final class GroupPromises implements PromisedPoints {

  /// A volume's groups: the one that it is a member of, and that of its virtual machine.
  private static final String PROMISED =
      """
      select v.id as volume, g.policy_id,
             (select p.taken_at from recovery_point p
               where p.group_id = g.id and not p.binned
                 and exists (select 1 from volume_metadata c join volume s on s.id = c.volume_id
                              where c.key = '%s' and left(c.value, 200) = p.id::text
                                and s.parent_id = v.id and s.snapshot and s.origin = 'ADMIN'
                                and s.state <> 'BINNED')
               order by p.taken_at desc, p.id desc limit 1) as youngest
        from unnest(cast(:ids as uuid[])) as v (id)
        join lateral (
               select m.group_id from protection_member m
                where m.kind = 'VOLUME' and m.object = v.id::text
               union
               select m.group_id from volume_metadata n
                 join protection_member m on m.kind = 'MACHINE' and m.object = n.value
                where n.volume_id = v.id and n.key = '%s') own on true
        join protection_group g on g.id = own.group_id
      """
          .formatted(SnapshotChoice.GROUP_KEY, SnapshotGrid.MACHINE_KEY);

  private final JdbcClient jdbc;
  private final ProtectionPolicies policies;
  private final LockLimit limit;

  public GroupPromises(JdbcClient jdbc, ProtectionPolicies policies, LockLimit limit) {
    this.jdbc = jdbc;
    this.policies = policies;
    this.limit = limit;
  }

  private record Found(VolumeId volume, UUID policy, @Nullable Instant youngest) {}

  @Override
  public Map<VolumeId, PointPromise> of(Collection<VolumeId> volumes) {
    List<Found> all =
        jdbc.sql(PROMISED)
            .param("ids", volumes.stream().map(VolumeId::value).toArray(UUID[]::new))
            .query(GroupPromises::found)
            .list();
    if (all.isEmpty()) {
      return Map.of();
    }
    Map<UUID, PointPromise> promised =
        promised(all.stream().map(Found::policy).collect(Collectors.toSet()));
    Map<VolumeId, PointPromise> promises = new HashMap<>();
    for (Found one : all) {
      PointPromise promise = promised.get(one.policy());
      if (promise != null) { // else the policy was deleted between the two statements
        promises.merge(one.volume(), with(promise, one.youngest()), PointPromise::and);
      }
    }
    return promises;
  }

  /// What policies promise of volumes that have no point yet. A lock is as long as is allowed now.
  private Map<UUID, PointPromise> promised(Collection<UUID> ids) {
    Duration longest = limit.longest();
    Map<UUID, PointPromise> promised = new HashMap<>();
    policies
        .find(ids)
        .forEach(
            (id, policy) -> {
              ProtectionRules rules = policy.rules();
              Duration lock = rules.locked();
              promised.put(
                  id,
                  new PointPromise(
                      rules.longestGap(),
                      rules.kept(),
                      lock.compareTo(longest) < 0 ? lock : longest,
                      null));
            });
    return promised;
  }

  private static PointPromise with(PointPromise promise, @Nullable Instant youngest) {
    return new PointPromise(promise.every(), promise.kept(), promise.locked(), youngest);
  }

  private static Found found(ResultSet row, int number) throws SQLException {
    OffsetDateTime youngest = row.getObject("youngest", OffsetDateTime.class);
    return new Found(
        new VolumeId(GroupRows.uuid(row, "volume")),
        GroupRows.uuid(row, "policy_id"),
        youngest == null ? null : youngest.toInstant());
  }
}
