package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.viewer.Viewer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// The tasks. [#begin], [#succeed] and [#fail] are called inside the transaction of the task's own
/// change, so that task and effect never disagree.
@Service
public final class Tasks {

  /// A page of 1000, and one more that shows whether more follows.
  private static final int MOST = 1001;

  private final TaskRepository rows;
  private final InstantSource clock;
  private final TaskSettings settings;
  private final Map<String, TaskProgress> running = new ConcurrentHashMap<>();

  public Tasks(JdbcClient jdbc, InstantSource clock, TaskSettings settings) {
    this.rows = new TaskRepository(jdbc);
    this.clock = clock;
    this.settings = settings;
  }

  /// The id of the task that reports one run of an operation.
  ///
  /// @param run an id that tells this run from every other one
  public static String idOf(String operation, UUID run) {
    return operation + ":" + run;
  }

  /// Starts a task.
  ///
  /// @param id from [#idOf]
  /// @param volume the virtual volume that it works on or makes; null for none
  public void begin(String id, @Nullable VolumeId volume) {
    begin(id, volume, false);
  }

  /// As [#begin], a task that goes on behind its call: its end gets an entry of its own in the
  /// audit trail ([TaskEnds]).
  public void beginLong(String id, @Nullable VolumeId volume) {
    begin(id, volume, true);
  }

  private void begin(String id, @Nullable VolumeId volume, boolean outlives) {
    String operation = id.substring(0, id.indexOf(':'));
    rows.insertRunning(
        new VasaTask(id, operation, volume, now(), new TaskState.Running()), outlives);
  }

  /// Records a task of an operation that had nothing to do. A crash inside leaves a task that is
  /// ended at the next start ([#failOrphans]).
  public VasaTask done(String operation) {
    String id = idOf(operation, UUID.randomUUID());
    begin(id, null);
    succeed(id, new TaskResult.None());
    return require(id);
  }

  /// Has the end of a task written into the audit trail: its call was cut short, or did not see it.
  public void endIsDue(String id) {
    rows.endIsDue(id);
  }

  /// Ends a task with success. A task that has ended stays as it is.
  public void succeed(String id, TaskResult result) {
    rows.succeed(id, new TaskState.Success(now(), result));
  }

  /// Ends a task with a fault. A task that has ended stays as it is.
  public void fail(String id, Fault fault, String message) {
    rows.fail(id, new TaskState.Failed(now(), fault, message));
  }

  /// @throws VasaException (NotFound) if it is unknown or was forgotten
  public VasaTask require(String id) {
    return rows.find(id).orElseThrow(() -> VasaException.notFound("there is no task " + id));
  }

  /// Tasks that have not ended, oldest first.
  public List<VasaTask> unfinished() {
    return rows.unfinished();
  }

  /// The last tasks, newest first.
  ///
  /// @param limit 1 to 1001
  public List<VasaTask> latest(int limit) {
    return rows.latest(Math.clamp(limit, 1, MOST));
  }

  /// The first tasks of an order.
  ///
  /// @param name only those of this name; null for any
  /// @param order by `created`, by `finished` (what has not ended comes first) or by `name`
  /// @param limit 1 to 1001
  public List<VasaTask> page(@Nullable String name, RowOrder order, int limit) {
    return rows.page(name, order, Math.clamp(limit, 1, MOST));
  }

  /// The number of remembered tasks.
  ///
  /// @param name only those of this name; null for any
  public int count(@Nullable String name) {
    return rows.count(name);
  }

  /// The number of remembered tasks.
  public int count() {
    return rows.count(null);
  }

  /// The members of `ids` that the current viewer may see: a bound token those that it began.
  public Set<String> seen(Collection<String> ids) {
    return Viewer.boundToken().isEmpty() ? Set.copyOf(ids) : rows.seen(ids);
  }

  /// Lets a task of this process be asked for its progress, and to end early.
  public void track(String id, TaskProgress progress) {
    running.put(id, progress);
  }

  /// Ends what [#track] began.
  public void untrack(String id) {
    running.remove(id);
  }

  /// The progress of a task; empty if it has ended or does not report it.
  public Optional<TaskProgress> progressOf(String id) {
    return Optional.ofNullable(running.get(id));
  }

  /// The estimated end of a task, if it reports one.
  public Optional<Instant> estimatedEnd(String id) {
    return progressOf(id).flatMap(progress -> progress.estimatedEnd(clock.instant()));
  }

  /// Ends a task that was withdrawn. A task that has ended stays as it is.
  public void cancelled(String id) {
    rows.cancel(id, new TaskState.Cancelled(now()));
  }

  /// Asks a task to end early; it has ended when [#require] says so. Only tasks that tell their
  /// progress can be asked. Every other operation passes its point of no return inside the call
  /// that starts it.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (NotCancellable) if it cannot be asked
  public void cancel(String id) {
    VasaTask task = require(id);
    TaskProgress progress = running.get(id);
    if (progress != null && !task.state().ended()) {
      progress.withdraw();
      return;
    }
    throw new VasaException(
        new Fault.NotCancellable(),
        "task %s cannot be cancelled: it %s"
            .formatted(id, task.state().ended() ? "has ended" : "is past that point"));
  }

  /// Ends tasks to which no operation in progress reports: nothing else would.
  ///
  /// @return how many
  public int failOrphans(Fault fault, String message) {
    return rows.failOrphans(new TaskState.Failed(now(), fault, message));
  }

  /// Forgets tasks that ended longer ago than the settings allow. After a jump of the clock all are
  /// kept for that long.
  ///
  /// @return how many
  public int forgetOld(SeenTime time) {
    if (!time.sawEvenClockFor(settings.kept())) {
      return 0;
    }
    return rows.deleteFinishedBefore(now().minus(settings.kept()));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
