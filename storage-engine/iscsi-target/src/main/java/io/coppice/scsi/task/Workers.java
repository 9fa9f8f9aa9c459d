package io.coppice.scsi.task;

import io.coppice.engine.StorageException;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.LogicalUnit;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads for calls that may block in the engine, so that no event loop ever does. Logical
/// units with work take turns, one job each. So a flood at one of them never makes another wait
/// longer than one job of each.
public final class Workers implements AutoCloseable {

  private final ThreadPoolExecutor pool;
  private final int waiting;
  private final Map<LogicalUnit, Line> lines = new IdentityHashMap<>(); // guarded by this
  private final Queue<Line> turns = new ArrayDeque<>(); // guarded by this: all of `lines`

  /// The jobs that wait at one unit, one or more.
  private record Line(LogicalUnit unit, Queue<Runnable> jobs) {}

  /// @param threads how many
  /// @param waiting how many jobs of one unit may wait before further ones are refused
  public Workers(int threads, int waiting) {
    this.waiting = waiting;
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // one entry for each job that waits
            Thread.ofPlatform().daemon().name("scsi-worker-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /// Runs a job for a command. TASK SET FULL if too many jobs of its unit are waiting.
  public void run(Task task, Runnable job) {
    run(task, job, () -> {});
  }

  /// Runs a job as [#run(Task, Runnable)] does.
  ///
  /// @param refused runs instead of the job, before the command ends with TASK SET FULL
  public void run(Task task, Runnable job, Runnable refused) {
    if (!enter(task.path().unit(), () -> guarded(task, job))) {
      refused.run();
      task.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
    }
  }

  private static void guarded(Task task, Runnable job) {
    try {
      job.run();
    } catch (StorageException e) {
      task.failed(e);
    } catch (RuntimeException | Error e) {
      task.failUnexpectedly(e);
    }
  }

  private synchronized boolean enter(LogicalUnit unit, Runnable job) {
    Line line = lines.get(unit);
    if (line != null && line.jobs().size() >= waiting) {
      return false;
    }
    try {
      pool.execute(this::runNext);
    } catch (RejectedExecutionException e) {
      return false; // closed
    }
    if (line == null) {
      line = new Line(unit, new ArrayDeque<>());
      lines.put(unit, line);
      turns.add(line);
    }
    line.jobs().add(job);
    return true;
  }

  private void runNext() {
    next().run();
  }

  /// A job of the unit whose turn it is. There always is one, as each job comes with a call of
  /// this.
  private synchronized Runnable next() {
    Line line = turns.remove();
    Runnable job = line.jobs().remove();
    if (line.jobs().isEmpty()) {
      lines.remove(line.unit());
    } else {
      turns.add(line);
    }
    return job;
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
