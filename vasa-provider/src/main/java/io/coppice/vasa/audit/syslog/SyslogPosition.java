package io.coppice.vasa.audit.syslog;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The row of `audit_syslog`.
final class SyslogPosition {

  private final JdbcClient jdbc;

  SyslogPosition(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The last entry that counts as sent; empty if there was never a server.
  Optional<Long> find() {
    return jdbc.sql("select position from audit_syslog").query(Long.class).optional();
  }

  void put(long position) {
    jdbc.sql(
            """
            insert into audit_syslog (position) values (:position)
              on conflict (whole)
              do update set position = greatest(audit_syslog.position, excluded.position)
            """)
        .param("position", position)
        .update();
  }

  /// Counts entries that were gone.
  void lose(long position, long count) {
    jdbc.sql("update audit_syslog set position = :position, lost = lost + :count")
        .param("position", position)
        .param("count", count)
        .update();
  }

  long lost() {
    return jdbc.sql("select coalesce(sum(lost), 0) from audit_syslog").query(Long.class).single();
  }
}
