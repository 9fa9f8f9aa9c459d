package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.volume.SnapshotChoice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `recovery_point` and `recovery_point_snapshot`.
final class PointRows {

  private final JdbcClient jdbc;

  PointRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Writes a point whose snapshots carry its id as that of their cut.
  void insert(UUID group, RecoveryPoint point) {
    jdbc.sql(
            """
            insert into recovery_point (id, group_id, taken_at, rules)
            values (:id, :group, :taken, :rules)
            """)
        .param("id", point.id())
        .param("group", group)
        .param("taken", GroupRows.utc(point.taken()))
        .param("rules", point.rules().stream().sorted().toArray(String[]::new))
        .update();
    jdbc.sql(
            """
            insert into recovery_point_snapshot (snapshot_id, point_id)
            select volume_id, :id from volume_metadata where key = :key and left(value, 200) = :text
            """)
        .param("id", point.id())
        .param("key", SnapshotChoice.GROUP_KEY)
        .param("text", point.id().toString())
        .update();
  }

  /// The points of a group, the oldest first.
  List<RecoveryPoint> of(UUID group) {
    return jdbc.sql("select * from recovery_point where group_id = :group order by taken_at, id")
        .param("group", group)
        .query(PointRows::point)
        .list();
  }

  private static RecoveryPoint point(ResultSet row, int number) throws SQLException {
    Set<String> rules = Set.copyOf(Arrays.asList((String[]) row.getArray("rules").getArray()));
    return new RecoveryPoint(GroupRows.uuid(row, "id"), GroupRows.instant(row, "taken_at"), rules);
  }

  List<VolumeId> snapshots(UUID point) {
    return jdbc.sql("select snapshot_id from recovery_point_snapshot where point_id = :point")
        .param("point", point)
        .query((row, _) -> new VolumeId(GroupRows.uuid(row, "snapshot_id")))
        .list();
  }

  /// Deletes points of a group that have no snapshot left: it was their last one, or a person or
  /// vCenter deleted it.
  void deleteEmpty(UUID group) {
    jdbc.sql(
            """
            delete from recovery_point p
             where group_id = :group
               and not exists (select 1 from recovery_point_snapshot where point_id = p.id)
            """)
        .param("group", group)
        .update();
  }
}
