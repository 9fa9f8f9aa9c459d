package io.coppice.scsi;

import io.coppice.engine.StorageException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A few threads for what may block in the engine, so that no event loop ever does.
final class Workers implements AutoCloseable {

  private final ThreadPoolExecutor pool;

  /// @param threads how many
  /// @param waiting how many jobs may wait before further ones are refused
  Workers(int threads, int waiting) {
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            Thread.ofPlatform().daemon().name("scsi-worker-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /// Runs a job for a command; TASK SET FULL if too many are waiting.
  void run(Task task, Runnable job) {
    run(task, job, () -> {});
  }

  /// As [#run(Task, Runnable)].
  ///
  /// @param refused runs instead of the job, before the command ends with TASK SET FULL
  void run(Task task, Runnable job, Runnable refused) {
    try {
      pool.execute(
          () -> {
            try {
              job.run();
            } catch (StorageException e) {
              task.failed(e);
            } catch (RuntimeException | Error e) {
              TaskRouter.failUnexpectedly(task, e);
            }
          });
    } catch (RejectedExecutionException e) {
      refused.run();
      task.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
