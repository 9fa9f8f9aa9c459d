package io.coppice.vasa.volume.store;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `rewind_part`. They go with the row of their operation.
public final class RewindRepository {

  private final JdbcClient jdbc;

  RewindRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Writes the parts of an operation, in the transaction that writes the operation.
  public void insert(OperationId operation, List<RewindPart> parts) {
    for (int place = 0; place < parts.size(); place++) {
      RewindPart part = parts.get(place);
      jdbc.sql(
              """
              insert into rewind_part (operation_id, place, volume_id, point)
              values (:operation, :place, :volume, :point)
              """)
          .param("operation", operation.value())
          .param("place", place)
          .param("volume", part.volume().value())
          .param("point", part.point().atOffset(ZoneOffset.UTC))
          .update();
    }
  }

  /// The parts of an operation, in their order; none if it is no revert to a moment.
  public List<RewindPart> of(OperationId operation) {
    return jdbc.sql("select * from rewind_part where operation_id = :operation order by place")
        .param("operation", operation.value())
        .query(
            (row, _) ->
                new RewindPart(
                    new VolumeId(row.getObject("volume_id", UUID.class)),
                    row.getObject("point", OffsetDateTime.class).toInstant()))
        .list();
  }
}
