package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Binding;
import io.coppice.scsi.HostId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `binding`.
final class BindingRepository {

  private final JdbcClient jdbc;

  BindingRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A binding's key.
  record Key(HostId host, VolumeId volume) {
    static Key of(Binding binding) {
      return new Key(binding.host(), binding.volume());
    }
  }

  void put(Binding binding, Instant now) {
    jdbc.sql(
            """
            insert into binding (host, volume_id, endpoint_lun, secondary_id, count, bound_at)
            values (:host, :volume, :endpoint, :secondary, :count, :now)
            on conflict (host, volume_id) do update
               set endpoint_lun = excluded.endpoint_lun, secondary_id = excluded.secondary_id,
                   count = excluded.count
            """)
        .param("host", binding.host().value())
        .param("volume", binding.volume().value())
        .param("endpoint", binding.endpoint().lun())
        .param("secondary", binding.secondaryId())
        .param("count", binding.count())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  void remove(Key key) {
    jdbc.sql("delete from binding where host = :host and volume_id = :volume")
        .param("host", key.host().value())
        .param("volume", key.volume().value())
        .update();
  }

  List<Key> keys() {
    return jdbc.sql("select host, volume_id from binding order by host, volume_id")
        .query(
            (row, _) ->
                new Key(
                    new HostId(row.getString("host")),
                    new VolumeId(row.getObject("volume_id", UUID.class))))
        .list();
  }
}
