package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.viewer.Viewer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `task`. Reads find what the current [Viewer] may see.
final class TaskRepository {

  private static final String CANCELLED = "Cancelled";

  private static final SortColumns SORTS =
      SortColumns.of("id", SortKind.TEXT)
          .with("created", "started_at", SortKind.TIME)
          .with("finished", "coalesce(finished_at, timestamptz '-infinity')", SortKind.TIME)
          .with("name", "name collate \"C\"", SortKind.TEXT);

  private final JdbcClient jdbc;

  TaskRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param outlives whether the task goes on behind the call that begins it
  void insertRunning(VasaTask task, boolean outlives) {
    VolumeId volume = task.volume();
    jdbc.sql(
            """
            insert into task (id, name, volume_id, container_id, begun_by, state, started_at,
                              begun_account, begun_record, end_due)
            values (:id, :name, :volume, (select container_id from volume where id = :volume),
                    :by, 'RUNNING', :started, :account, :recorded, :outlives)
            """)
        .param("id", task.id())
        .param("name", task.name())
        .param("volume", volume == null ? null : volume.value())
        .param("by", Viewer.boundToken().orElse(null))
        .param("started", task.started().atOffset(ZoneOffset.UTC))
        .param("account", Actor.current().name())
        .param("recorded", ChangeNotes.currentRecord().orElse(null))
        .param("outlives", outlives)
        .update();
  }

  /// Leaves the end of a task due in the audit trail.
  void endIsDue(String id) {
    jdbc.sql("update task set end_due = true where id = :id").param("id", id).update();
  }

  /// Tasks that have ended and whose ends are due in the audit trail, the oldest first.
  List<TaskEnds.Begun> endsDue(int limit) {
    return jdbc.sql(
            """
            select * from task where end_due and finished_at is not null
            order by finished_at limit :limit
            """)
        .param("limit", limit)
        .query(
            (row, number) ->
                new TaskEnds.Begun(
                    task(row, number),
                    row.getString("begun_account"),
                    row.getObject("begun_record", UUID.class)))
        .list();
  }

  /// Takes the mark of [#endIsDue] away.
  void endNoted(String id) {
    jdbc.sql("update task set end_due = false where id = :id").param("id", id).update();
  }

  void succeed(String id, TaskState.Success success) {
    jdbc.sql(
            """
            update task
               set state = 'SUCCESS', finished_at = :finished,
                   result_kind = :kind, result_volume = :volume,
                   result_point = :point, result_undo = :undo
             where id = :id and finished_at is null
            """)
        .param("id", id)
        .param("finished", success.finished().atOffset(ZoneOffset.UTC))
        .param("kind", kind(success.result()))
        .param("volume", volume(success.result()))
        .param("point", point(success.result()))
        .param("undo", undo(success.result()))
        .update();
  }

  void fail(String id, TaskState.Failed failed) {
    jdbc.sql(
            """
            update task
               set state = 'ERROR', finished_at = :finished, fault = :fault, message = :message
             where id = :id and finished_at is null
            """)
        .param("id", id)
        .param("finished", failed.finished().atOffset(ZoneOffset.UTC))
        .param("fault", failed.fault().name())
        .param("message", failed.message())
        .update();
  }

  /// Keeps the task as an error, with a fault with which no other task ends.
  void cancel(String id, TaskState.Cancelled cancelled) {
    jdbc.sql(
            """
            update task set state = 'ERROR', finished_at = :finished, fault = :fault
             where id = :id and finished_at is null
            """)
        .param("id", id)
        .param("finished", cancelled.finished().atOffset(ZoneOffset.UTC))
        .param("fault", CANCELLED)
        .update();
  }

  Optional<VasaTask> find(String id) {
    return jdbc.sql("select * from task where id = :id and " + seen())
        .param("id", id)
        .query(TaskRepository::task)
        .optional();
  }

  List<VasaTask> unfinished() {
    return jdbc.sql(
            "select * from task where finished_at is null and %s order by started_at, id"
                .formatted(seen()))
        .query(TaskRepository::task)
        .list();
  }

  private static String seen() {
    return Viewer.seesTask("task.container_id", "task.begun_by");
  }

  /// The members of `ids` that the current viewer may see.
  Set<String> seen(Collection<String> ids) {
    return ids.isEmpty()
        ? Set.of()
        : Set.copyOf(
            jdbc.sql("select id from task where id = any(:ids) and " + seen())
                .param("ids", ids.toArray(String[]::new))
                .query(String.class)
                .list());
  }

  /// Ends tasks that no operation can end any more.
  int failOrphans(TaskState.Failed failed) {
    return jdbc.sql(
            """
            update task
               set state = 'ERROR', finished_at = :finished, fault = :fault, message = :message,
                   end_due = true
             where finished_at is null
               and not exists (select 1 from operation where operation.task_id = task.id)
               and not exists (select 1 from group_change where group_change.task_id = task.id)
            """)
        .param("finished", failed.finished().atOffset(ZoneOffset.UTC))
        .param("fault", failed.fault().name())
        .param("message", failed.message())
        .update();
  }

  List<VasaTask> latest(int limit) {
    return jdbc.sql(
            "select * from task where %s order by started_at desc, id desc limit %d"
                .formatted(seen(), limit))
        .query(TaskRepository::task)
        .list();
  }

  List<VasaTask> page(@Nullable String name, RowOrder order, int limit) {
    Map<String, Object> parameters = new HashMap<>(SORTS.parameters(order));
    String where = where(name, parameters) + SORTS.behind(order) + SORTS.orderBy(order);
    return jdbc.sql("select * from task " + where + " limit " + limit)
        .params(parameters)
        .query(TaskRepository::task)
        .list();
  }

  int count(@Nullable String name) {
    Map<String, Object> parameters = new HashMap<>();
    return jdbc.sql("select count(*) from task " + where(name, parameters))
        .params(parameters)
        .query(Integer.class)
        .single();
  }

  private static String where(@Nullable String name, Map<String, Object> parameters) {
    if (name == null) {
      return "where " + seen();
    }
    parameters.put("name", name);
    return "where name collate \"C\" = :name and " + seen();
  }

  int deleteFinishedBefore(Instant time) {
    return jdbc.sql("delete from task where finished_at < :time and not end_due")
        .param("time", time.atOffset(ZoneOffset.UTC))
        .update();
  }

  private static @Nullable String kind(TaskResult result) {
    return switch (result) {
      case TaskResult.None _ -> null;
      case TaskResult.NewVolume _ -> "VOLUME";
      case TaskResult.PreparedSnapshot _ -> "PREPARED_SNAPSHOT";
      case TaskResult.NewVolumeAt _ -> "VOLUME_AT";
      case TaskResult.Reverted _ -> "REVERTED";
    };
  }

  private static @Nullable UUID volume(TaskResult result) {
    return switch (result) {
      case TaskResult.None _, TaskResult.Reverted _ -> null;
      case TaskResult.NewVolume(VolumeId volume) -> volume.value();
      case TaskResult.NewVolumeAt(VolumeId volume, var _) -> volume.value();
      case TaskResult.PreparedSnapshot(VolumeId snapshot) -> snapshot.value();
    };
  }

  private static @Nullable OffsetDateTime point(TaskResult result) {
    return switch (result) {
      case TaskResult.NewVolumeAt(var _, Instant point) -> point.atOffset(ZoneOffset.UTC);
      case TaskResult.Reverted(Instant point, var _) -> point.atOffset(ZoneOffset.UTC);
      case TaskResult.None _, TaskResult.NewVolume _, TaskResult.PreparedSnapshot _ -> null;
    };
  }

  private static @Nullable OffsetDateTime undo(TaskResult result) {
    return result instanceof TaskResult.Reverted(var _, Instant undo)
        ? undo.atOffset(ZoneOffset.UTC)
        : null;
  }

  private static @Nullable VolumeId volume(@Nullable UUID id) {
    return id == null ? null : new VolumeId(id);
  }

  private static VasaTask task(ResultSet row, int number) throws SQLException {
    return new VasaTask(
        row.getString("id"),
        row.getString("name"),
        volume(row.getObject("volume_id", UUID.class)),
        row.getObject("started_at", OffsetDateTime.class).toInstant(),
        state(row));
  }

  private static TaskState state(ResultSet row) throws SQLException {
    String state = row.getString("state");
    return switch (state) {
      case "QUEUED" -> new TaskState.Queued();
      case "RUNNING" -> new TaskState.Running();
      case "SUCCESS" -> new TaskState.Success(finished(row), result(row));
      case "ERROR" ->
          CANCELLED.equals(row.getString("fault"))
              ? new TaskState.Cancelled(finished(row))
              : new TaskState.Failed(finished(row), fault(row.getString("fault")), text(row));
      default -> throw new IllegalStateException("expected a task state, got " + state);
    };
  }

  private static Instant finished(ResultSet row) throws SQLException {
    return time(row, "finished_at");
  }

  private static String text(ResultSet row) throws SQLException {
    String message = row.getString("message");
    return message == null ? "" : message;
  }

  private static TaskResult result(ResultSet row) throws SQLException {
    String kind = row.getString("result_kind");
    if (kind == null) {
      return new TaskResult.None();
    }
    return switch (kind) {
      case "VOLUME" -> new TaskResult.NewVolume(resultVolume(row));
      case "VOLUME_AT" -> new TaskResult.NewVolumeAt(resultVolume(row), time(row, "result_point"));
      case "PREPARED_SNAPSHOT" -> new TaskResult.PreparedSnapshot(resultVolume(row));
      case "REVERTED" ->
          new TaskResult.Reverted(time(row, "result_point"), time(row, "result_undo"));
      default -> throw new IllegalStateException("expected a kind of task result, got " + kind);
    };
  }

  private static VolumeId resultVolume(ResultSet row) throws SQLException {
    return new VolumeId(row.getObject("result_volume", UUID.class));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /// The fault of a name. Tasks may end with those listed; a later version wrote any other name.
  private static Fault fault(String name) {
    return switch (name) {
      case "NotFound" -> new Fault.NotFound();
      case "InvalidArgument" -> new Fault.InvalidArgument();
      case "InvalidProfile" -> new Fault.InvalidProfile();
      case "OutOfResource" -> new Fault.OutOfResource();
      case "ResourceInUse" -> new Fault.ResourceInUse();
      case "IncompatibleVolume" -> new Fault.IncompatibleVolume();
      case "NotSupported" -> new Fault.NotSupported();
      case "Timeout" -> new Fault.Timeout();
      case "VasaProviderBusy" -> new Fault.VasaProviderBusy();
      case "PeerNotReachable" -> new Fault.PeerNotReachable();
      case "NoValidReplica" -> new Fault.NoValidReplica();
      default -> new Fault.StorageFault("io.coppice.fault.TaskFailed");
    };
  }
}
