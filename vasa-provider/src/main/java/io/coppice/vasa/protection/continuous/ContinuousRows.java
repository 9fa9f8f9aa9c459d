package io.coppice.vasa.protection.continuous;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.volume.SnapshotGrid;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of continuous protection: what groups and policies want of volumes, and when the journals
/// and tiers end that nobody wants any more.
final class ContinuousRows {

  /// The volumes of members, as groups of machines take them: without swap and memory.
  private static final String VOLUMES =
      """
      cross join lateral (
        select v.id from volume v
         where v.id = case when m.kind = 'VOLUME' then cast(m.object as uuid) end
           and v.state in (%1$s) and not v.snapshot
        union all
        select v.id from volume_metadata n join volume v on v.id = n.volume_id
         where m.kind = 'MACHINE' and n.key = '%2$s' and n.value = m.object
           and left(n.value, 200) collate "C" = left(m.object, 200)
           and v.state in (%1$s) and not v.snapshot and v.type not in ('SWAP', 'MEMORY')) as own
      """;

  private static final String WANTED =
      """
      select g.id as group_id, own.id as volume, p.tier_every_s, p.tier_keep_s
        from protection_policy p
        join protection_group g on g.policy_id = p.id
        join protection_member m on m.group_id = g.id
      """
          + VOLUMES.formatted("'READY'", SnapshotGrid.MACHINE_KEY)
          + " where cardinality(p.tier_every_s) > 0 order by g.id, own.id";

  private static final String OF_GROUP =
      "select distinct own.id as volume from protection_member m "
          + VOLUMES.formatted("'READY', 'BINNED'", SnapshotGrid.MACHINE_KEY)
          + " where m.group_id = :group";

  private final JdbcClient jdbc;

  ContinuousRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The rule of a group for one of its volumes.
  record Wanted(UUID group, VolumeId volume, ContinuousRule rule) {}

  /// What all groups want, in one statement.
  List<Wanted> wanted() {
    return jdbc.sql(WANTED)
        .query(
            (row, _) ->
                new Wanted(
                    Objects.requireNonNull(row.getObject("group_id", UUID.class)),
                    volume(row, "volume"),
                    TierColumns.read(row)))
        .list();
  }

  /// The volumes of a group, also those in the recycle bin.
  List<VolumeId> ofGroup(UUID group) {
    return jdbc.sql(OF_GROUP).param("group", group).query((row, _) -> volume(row, "volume")).list();
  }

  /// When journals end, by volume.
  Map<VolumeId, Instant> ends() {
    return ends(jdbc.sql("select * from ended_timeline"));
  }

  /// As above, of some volumes.
  Map<VolumeId, Instant> ends(Collection<VolumeId> volumes) {
    return ends(
        jdbc.sql("select * from ended_timeline where volume_id = any(:ids)")
            .param("ids", ids(volumes)));
  }

  private static Map<VolumeId, Instant> ends(JdbcClient.StatementSpec query) {
    Map<VolumeId, Instant> ends = new HashMap<>();
    query.query(
        row -> {
          ends.put(volume(row, "volume_id"), end(row));
        });
    return ends;
  }

  /// Lets journals end at a moment, or earlier if they do already.
  void end(Collection<VolumeId> volumes, Instant at) {
    if (!volumes.isEmpty()) {
      jdbc.sql(
              """
              insert into ended_timeline (volume_id, ends_at)
              select id, :at from unnest(cast(:ids as uuid[])) as v (id)
              on conflict (volume_id)
                do update set ends_at = least(ended_timeline.ends_at, excluded.ends_at)
              """)
          .param("ids", ids(volumes))
          .param("at", at.atOffset(ZoneOffset.UTC))
          .update();
    }
  }

  void forget(Collection<VolumeId> volumes) {
    if (!volumes.isEmpty()) {
      jdbc.sql("delete from ended_timeline where volume_id = any(:ids)")
          .param("ids", ids(volumes))
          .update();
    }
  }

  /// When tiers end.
  Map<EndingTiers.Key, Instant> tierEnds() {
    return tierEnds(jdbc.sql("select * from ending_tier"));
  }

  /// As above, of some volumes.
  Map<EndingTiers.Key, Instant> tierEnds(Collection<VolumeId> volumes) {
    return tierEnds(
        jdbc.sql("select * from ending_tier where volume_id = any(:ids)")
            .param("ids", ids(volumes)));
  }

  private static Map<EndingTiers.Key, Instant> tierEnds(JdbcClient.StatementSpec query) {
    Map<EndingTiers.Key, Instant> ends = new HashMap<>();
    query.query(
        row -> {
          ends.put(tier(row), end(row));
        });
    return ends;
  }

  private static EndingTiers.Key tier(ResultSet row) throws SQLException {
    return new EndingTiers.Key(
        volume(row, "volume_id"), Duration.ofSeconds(row.getLong("every_s")));
  }

  void endTiers(Collection<EndingTiers.Key> tiers, Instant at) {
    if (!tiers.isEmpty()) {
      List<EndingTiers.Key> order = List.copyOf(tiers);
      jdbc.sql(
              """
              insert into ending_tier (volume_id, every_s, ends_at)
              select id, every, :at
                from unnest(cast(:ids as uuid[]), cast(:every as bigint[])) as t (id, every)
              on conflict (volume_id, every_s) do nothing
              """)
          .param("ids", tierVolumes(order))
          .param("every", seconds(order))
          .param("at", at.atOffset(ZoneOffset.UTC))
          .update();
    }
  }

  void forgetTiers(Collection<EndingTiers.Key> tiers) {
    if (!tiers.isEmpty()) {
      List<EndingTiers.Key> order = List.copyOf(tiers);
      jdbc.sql(
              """
              delete from ending_tier using
                unnest(cast(:ids as uuid[]), cast(:every as bigint[])) as t (id, every)
               where volume_id = t.id and every_s = t.every
              """)
          .param("ids", tierVolumes(order))
          .param("every", seconds(order))
          .update();
    }
  }

  private static UUID[] tierVolumes(List<EndingTiers.Key> tiers) {
    return ids(tiers.stream().map(EndingTiers.Key::volume).toList());
  }

  private static Long[] seconds(List<EndingTiers.Key> tiers) {
    return tiers.stream().map(tier -> tier.every().toSeconds()).toArray(Long[]::new);
  }

  private static UUID[] ids(Collection<VolumeId> volumes) {
    return volumes.stream().map(VolumeId::value).toArray(UUID[]::new);
  }

  private static Instant end(ResultSet row) throws SQLException {
    return row.getObject("ends_at", OffsetDateTime.class).toInstant();
  }

  private static VolumeId volume(ResultSet row, String column) throws SQLException {
    return new VolumeId(Objects.requireNonNull(row.getObject(column, UUID.class)));
  }
}
