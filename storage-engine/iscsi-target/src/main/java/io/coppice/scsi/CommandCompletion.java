package io.coppice.scsi;

/// How a command ends.
@FunctionalInterface
public interface CommandCompletion {

  /// Called exactly once per command, on any thread; must not block. A command taken out by task
  /// management ends with [ScsiStatus#TASK_ABORTED]: whether the initiator hears of it is the
  /// transport's affair.
  void complete(ScsiResponse response);
}
