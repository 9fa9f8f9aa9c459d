package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
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

  /// The contents of a binding's row.
  record Said(int endpoint, String secondaryId, int count) {
    static Said of(Binding binding) {
      return new Said(binding.endpoint().lun(), binding.secondaryId(), binding.count());
    }
  }

  Map<Key, Said> all() {
    Map<Key, Said> all = new HashMap<>();
    jdbc.sql("select host, volume_id, endpoint_lun, secondary_id, count from binding")
        .query(
            row -> {
              all.put(
                  new Key(
                      new HostId(row.getString("host")),
                      new VolumeId(row.getObject("volume_id", UUID.class))),
                  new Said(
                      row.getInt("endpoint_lun"),
                      row.getString("secondary_id"),
                      row.getInt("count")));
            });
    return all;
  }
}
