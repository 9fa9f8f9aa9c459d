package io.coppice.scsi.task;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import java.util.concurrent.atomic.AtomicInteger;

/// A command that takes several engine calls, one after the other. An engine may complete inside
/// the call, so a loop, not the stack, carries the command from one step to the next.
public abstract class MultiStepCommand implements Completion {

  private final Task task;
  private final AtomicInteger due = new AtomicInteger();

  protected MultiStepCommand(Task task) {
    this.task = task;
  }

  /// Begins the next engine call with this object as its completion, or ends the command. Called
  /// for the first step, then after each call that succeeded.
  protected abstract void step();

  /// The command ends without a further step: whatever the last one holds must be let go.
  protected void abandoned() {}

  protected final Task task() {
    return task;
  }

  /// The last call succeeded, or the command begins.
  @Override
  public final void succeeded() {
    if (due.getAndIncrement() != 0) {
      return; // the loop below runs further down the stack, or on another thread
    }
    do {
      guardedStep();
    } while (due.decrementAndGet() != 0);
  }

  private void guardedStep() {
    if (task.isAborted()) {
      abandoned();
      task.succeeded(); // answered TASK ABORTED
      return;
    }
    try {
      step();
    } catch (StorageException e) {
      failed(e);
    } catch (RuntimeException | Error e) {
      abandoned();
      task.failUnexpectedly(e);
    }
  }

  @Override
  public void failed(StorageException failure) {
    task.failed(failure);
  }
}
