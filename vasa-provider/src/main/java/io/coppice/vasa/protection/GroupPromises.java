package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.rule.ContinuousRule;
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
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The promises of protection groups for the volumes of their members.
///
/// A volume has a point of a group only if the point has a snapshot of it: it may have come to the
/// group, or to its virtual machine, after the point was taken. Points of a journal count beside
/// snapshots.
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
  private final ContinuousProtection continuous;

  public GroupPromises(
      JdbcClient jdbc,
      ProtectionPolicies policies,
      LockLimit limit,
      ContinuousProtection continuous) {
    this.continuous = continuous;
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
    Map<UUID, ProtectionPolicy> own =
        policies.find(all.stream().map(Found::policy).collect(Collectors.toSet()));
    Duration longest = limit.longest();
    Map<VolumeId, PointPromise> promises = new HashMap<>();
    for (Found one : all) {
      ProtectionPolicy policy = own.get(one.policy());
      if (policy != null) { // else the policy was deleted between the two statements
        Stream.of(byRules(policy, one, longest), byTiers(policy, one))
            .flatMap(Optional::stream)
            .forEach(promise -> promises.merge(one.volume(), promise, PointPromise::and));
      }
    }
    return promises;
  }

  /// What the rules of a policy promise. A lock is as long as is allowed now.
  private static Optional<PointPromise> byRules(
      ProtectionPolicy policy, Found one, Duration longest) {
    ProtectionRules rules = policy.rules();
    Duration lock = rules.locked();
    return rules
        .longestGap()
        .map(
            gap ->
                new PointPromise(
                    gap,
                    rules.kept(),
                    lock.compareTo(longest) < 0 ? lock : longest,
                    one.youngest()));
  }

  /// What the tiers promise: points in the journal, which are crash-consistent and never locked. A
  /// volume that cannot have its journal is promised nothing; one that is still to get it has no
  /// point yet.
  private Optional<PointPromise> byTiers(ProtectionPolicy policy, Found one) {
    ContinuousRule tiers = policy.continuous();
    if (tiers.isEmpty() || continuous.isRefused(one.volume())) {
      return Optional.empty();
    }
    Instant youngest = continuous.youngest(one.volume(), tiers.finest()).orElse(null);
    return Optional.of(new PointPromise(tiers.finest(), tiers.kept(), Duration.ZERO, youngest));
  }

  private static Found found(ResultSet row, int number) throws SQLException {
    OffsetDateTime youngest = row.getObject("youngest", OffsetDateTime.class);
    return new Found(
        new VolumeId(GroupRows.uuid(row, "volume")),
        GroupRows.uuid(row, "policy_id"),
        youngest == null ? null : youngest.toInstant());
  }
}
