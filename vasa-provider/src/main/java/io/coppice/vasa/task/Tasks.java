package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The tasks. [#begin], [#succeed] and [#fail] are called inside the transaction that changes what
/// the task is about, so that task and effect never disagree.
@Service
public final class Tasks {

  /// How long a finished task can be asked for.
  public static final Duration RETENTION = Duration.ofDays(1);

  /// A page of 1000 and whether more follows.
  private static final int MOST = 1001;

  private final TaskRepository rows;
  private final InstantSource clock;

  public Tasks(JdbcClient jdbc, InstantSource clock) {
    this.rows = new TaskRepository(jdbc);
    this.clock = clock;
  }

  /// The id of the task that reports one run of an operation.
  ///
  /// @param run what tells this run from every other one
  public static String idOf(String operation, UUID run) {
    return operation + ":" + run;
  }

  /// Starts a task.
  ///
  /// @param id from [#idOf]
  public void begin(String id, VolumeId volume) {
    String operation = id.substring(0, id.indexOf(':'));
    rows.insertRunning(new Task(id, operation, volume, now(), new TaskState.Running()));
  }

  /// Ends a task; one that has ended stays as it is.
  public void succeed(String id, TaskResult result) {
    rows.succeed(id, new TaskState.Success(now(), result));
  }

  /// Ends a task; one that has ended stays as it is.
  public void fail(String id, Fault fault, String message) {
    rows.fail(id, new TaskState.Failed(now(), fault, message));
  }

  /// @throws VasaException (NotFound) if it is unknown or was forgotten
  public Task require(String id) {
    return rows.find(id).orElseThrow(() -> VasaException.notFound("there is no task " + id));
  }

  /// Tasks that have not ended, oldest first.
  public List<Task> unfinished() {
    return rows.unfinished();
  }

  /// The last tasks, newest first.
  ///
  /// @param limit 1 to 1001
  public List<Task> latest(int limit) {
    return rows.latest(Math.clamp(limit, 1, MOST));
  }

  /// Tasks older than one, newest first.
  ///
  /// @param started when the one was started
  /// @param id of the one; it need not exist any more
  /// @param limit 1 to 1001
  public List<Task> before(Instant started, String id, int limit) {
    return rows.before(started, id, Math.clamp(limit, 1, MOST));
  }

  /// How many tasks are remembered.
  public int count() {
    return rows.count();
  }

  /// Withdraws a task. Every operation passes its point of no return inside the call that starts
  /// it, so none can be withdrawn.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (NotCancellable) otherwise
  public void cancel(String id) {
    Task task = require(id);
    throw new VasaException(
        new Fault.NotCancellable(),
        "task %s cannot be cancelled: it %s"
            .formatted(id, task.state().ended() ? "has ended" : "is past that point"));
  }

  /// Ends tasks that no operation in progress reports to: nothing else would.
  ///
  /// @return how many
  public int failOrphans(Fault fault, String message) {
    return rows.failOrphans(new TaskState.Failed(now(), fault, message));
  }

  /// Forgets tasks that ended longer than [#RETENTION] ago.
  ///
  /// @return how many
  public int forgetOld() {
    return rows.deleteFinishedBefore(now().minus(RETENTION));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
