package io.coppice.scsi.transport;

/// The completion of a command.
@FunctionalInterface
public interface CommandCompletion {

  /// Called exactly once per command, on any thread; must not block. A command taken out by task
  /// management ends with [ScsiStatus#TASK_ABORTED]. The transport decides whether the initiator
  /// hears of it.
  void complete(ScsiResponse response);

  /// Called at most once, on any thread, perhaps while or after the command ends. The command waits
  /// because its unit has had as much as it may have for now. It should not hold up commands of
  /// other units meanwhile.
  default void deferred() {}
}
