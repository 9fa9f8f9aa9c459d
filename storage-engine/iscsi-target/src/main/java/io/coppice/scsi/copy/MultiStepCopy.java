package io.coppice.scsi.copy;

import io.coppice.engine.StorageException;
import io.coppice.scsi.page.CopyStatus;
import io.coppice.scsi.page.CopyStatus.State;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;
import io.coppice.scsi.task.CopyOperation;
import io.coppice.scsi.task.MultiStepCommand;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;

/// A copy operation that takes several engine calls, each begun on a worker. However the command
/// ends, its operation ends with it, and before it.
abstract class MultiStepCopy extends MultiStepCommand {

  /// An operation that met a bug of ours.
  static final SenseData INTERNAL =
      SenseData.of(SenseKey.HARDWARE_ERROR, AdditionalSense.INTERNAL_TARGET_FAILURE);

  private final CopyOperation operation;
  private final Workers workers;
  private boolean over;

  MultiStepCopy(Task task, CopyOperation operation, Workers workers) {
    super(task);
    this.operation = operation;
    this.workers = workers;
  }

  /// Begins. A command whose operation goes on in the background is answered first.
  final void begin() {
    if (operation.isBackground()) {
      task().answer();
    }
    succeeded();
  }

  final CopyOperation operation() {
    return operation;
  }

  /// Prepares the next call, or nothing at the end. The call before, if any, succeeded.
  ///
  /// @return false if there is nothing more to do
  abstract boolean prepareNext();

  /// Begins the next call, on a worker, or ends the command.
  abstract void call();

  /// The outcome of the operation if nothing fails.
  abstract State outcome();

  /// Lets go of what was held for the last call.
  abstract void leave();

  /// Called once, when nothing more of it will touch a volume.
  void ended() {}

  private void end(CopyStatus last) {
    if (!over) {
      over = true;
      ended();
    }
    operation.end(last);
  }

  @Override
  public final void step() {
    leave();
    if (operation.isCancelled()) {
      end(operation.status().terminated());
      task().fail(cancelled());
    } else if (prepareNext()) {
      workers.run(task(), this::guardedCall, this::refused);
    } else {
      end(operation.status().ended(outcome()));
      task().succeeded();
    }
  }

  static SenseData cancelled() {
    return SenseData.of(SenseKey.COPY_ABORTED, AdditionalSense.COMMANDS_CLEARED_BY_DEVICE_SERVER);
  }

  private void guardedCall() {
    try {
      call();
    } catch (StorageException e) {
      failed(e);
    } catch (RuntimeException | Error e) {
      abandoned();
      throw e;
    }
  }

  private void refused() {
    end(operation.status().refused(ScsiStatus.TASK_SET_FULL.code()));
  }

  /// Ends operation and command.
  final void abort(SenseData sense) {
    leave();
    end(operation.status().failed(sense));
    task().fail(sense);
  }

  /// Ends operation and command.
  final void conflict() {
    leave();
    end(operation.status().refused(ScsiStatus.RESERVATION_CONFLICT.code()));
    task().finish(ScsiResponse.of(ScsiStatus.RESERVATION_CONFLICT));
  }

  /// Ends operation and command: other commands never leave it alone.
  final void busy() {
    leave();
    end(operation.status().refused(ScsiStatus.BUSY.code()));
    task().finish(ScsiResponse.of(ScsiStatus.BUSY));
  }

  @Override
  public final void abandoned() {
    leave();
    CopyStatus last = operation.status();
    end(task().isAborted() ? last.terminated() : last.failed(INTERNAL));
  }
}
