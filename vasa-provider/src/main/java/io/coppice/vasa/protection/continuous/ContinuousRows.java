package io.coppice.vasa.protection.continuous;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.volume.SnapshotGrid;
import java.sql.ResultSet;
import java.sql.SQLException;
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
/// end that nobody wants any more.
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
    Map<VolumeId, Instant> ends = new HashMap<>();
    jdbc.sql("select * from ended_timeline")
        .query(
            row -> {
              ends.put(
                  volume(row, "volume_id"),
                  row.getObject("ends_at", OffsetDateTime.class).toInstant());
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

  private static UUID[] ids(Collection<VolumeId> volumes) {
    return volumes.stream().map(VolumeId::value).toArray(UUID[]::new);
  }

  private static VolumeId volume(ResultSet row, String column) throws SQLException {
    return new VolumeId(Objects.requireNonNull(row.getObject(column, UUID.class)));
  }
}
