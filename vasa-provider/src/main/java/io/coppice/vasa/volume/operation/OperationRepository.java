package io.coppice.vasa.volume.operation;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `operation`.
final class OperationRepository {

  private final JdbcClient jdbc;

  OperationRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(VolumeOperation operation, Instant started) {
    jdbc.sql(
            """
            insert into operation (id, kind, volume_id, other_id, third_id, task_id, started_at)
            values (:id, :kind, :volume, :other, :third, :task, :started)
            """)
        .param("id", operation.id().value())
        .param("kind", operation.kind().name())
        .param("volume", operation.volume().value())
        .param("other", value(operation.other()))
        .param("third", value(operation.third()))
        .param("task", operation.task())
        .param("started", started.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// @return whether the row was there
  boolean delete(OperationId id) {
    return jdbc.sql("delete from operation where id = :id").param("id", id.value()).update() == 1;
  }

  Optional<VolumeOperation> find(OperationId id) {
    return jdbc.sql("select * from operation where id = :id")
        .param("id", id.value())
        .query(OperationRepository::operation)
        .optional();
  }

  List<VolumeOperation> list() {
    return jdbc.sql("select * from operation order by started_at, id")
        .query(OperationRepository::operation)
        .list();
  }

  private static VolumeOperation operation(ResultSet row, int number) throws SQLException {
    return new VolumeOperation(
        new OperationId(row.getObject("id", UUID.class)),
        VolumeOperation.Kind.valueOf(row.getString("kind")),
        new VolumeId(row.getObject("volume_id", UUID.class)),
        volume(row, "other_id"),
        volume(row, "third_id"),
        row.getString("task_id"));
  }

  private static @Nullable UUID value(@Nullable VolumeId volume) {
    return volume == null ? null : volume.value();
  }

  private static @Nullable VolumeId volume(ResultSet row, String column) throws SQLException {
    UUID value = row.getObject(column, UUID.class);
    return value == null ? null : new VolumeId(value);
  }
}
