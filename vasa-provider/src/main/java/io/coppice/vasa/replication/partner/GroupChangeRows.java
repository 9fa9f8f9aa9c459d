package io.coppice.vasa.replication.partner;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `group_change`: changes of groups that go on behind their call.
final class GroupChangeRows {

  private final JdbcClient jdbc;

  GroupChangeRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// One row.
  ///
  /// @param replicaName of a synchronization; null for the preparation of a fail-over
  record Row(String task, UUID group, @Nullable String replicaName) {}

  void insert(Row row) {
    jdbc.sql("insert into group_change values (:task, :group, :name)")
        .param("task", row.task())
        .param("group", row.group())
        .param("name", row.replicaName())
        .update();
  }

  void delete(String task) {
    jdbc.sql("delete from group_change where task_id = :task").param("task", task).update();
  }

  List<Row> all() {
    return jdbc.sql("select * from group_change order by task_id")
        .query(
            (row, _) ->
                new Row(
                    row.getString("task_id"),
                    row.getObject("group_id", UUID.class),
                    row.getString("replica_name")))
        .list();
  }
}
