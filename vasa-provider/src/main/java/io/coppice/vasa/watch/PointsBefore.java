package io.coppice.vasa.watch;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VolumeChoice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of snapshots, searched for the youngest one before a moment.
final class PointsBefore {

  private final JdbcClient jdbc;

  PointsBefore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param since by the machine's clock
  /// @return empty if there is none
  Optional<PointBefore> find(VolumeId volume, Instant since) {
    return jdbc.sql(
            """
            select v.id, v.created_at,
                   (select value from volume_metadata where volume_id = v.id and key = :name) as name,
                   (select p.id from volume_metadata m join recovery_point p on p.id::text = m.value
                     where m.volume_id = v.id and m.key = :group and not p.binned) as point
              from volume v
             where v.parent_id = :volume and v.snapshot and v.state = 'READY' and v.created_at < :since
             order by v.created_at desc, v.id desc limit 1
            """)
        .param("name", VolumeChoice.NAME_KEY)
        .param("group", SnapshotChoice.GROUP_KEY)
        .param("volume", volume.value())
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query(PointsBefore::point)
        .optional();
  }

  private static PointBefore point(ResultSet row, int number) throws SQLException {
    return new PointBefore(
        new VolumeId(Objects.requireNonNull(row.getObject("id", UUID.class))),
        row.getString("name"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("point", UUID.class));
  }
}
