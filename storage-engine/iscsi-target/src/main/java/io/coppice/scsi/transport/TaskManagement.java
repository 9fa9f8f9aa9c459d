package io.coppice.scsi.transport;

/// A task management function (SAM-5 §7). All but the last three act on one logical unit.
public sealed interface TaskManagement {

  /// ABORT TASK.
  ///
  /// @param tag of the command to end
  record AbortTask(LogicalUnitNumber lun, long tag) implements TaskManagement {}

  /// ABORT TASK SET: the nexus's own commands.
  record AbortTaskSet(LogicalUnitNumber lun) implements TaskManagement {}

  /// CLEAR TASK SET: every nexus's commands.
  record ClearTaskSet(LogicalUnitNumber lun) implements TaskManagement {}

  /// CLEAR ACA.
  record ClearAca(LogicalUnitNumber lun) implements TaskManagement {}

  /// LOGICAL UNIT RESET.
  record LogicalUnitReset(LogicalUnitNumber lun) implements TaskManagement {}

  /// TARGET WARM RESET (RFC 7143 §11.5.1).
  record TargetWarmReset() implements TaskManagement {}

  /// TARGET COLD RESET (RFC 7143 §11.5.1).
  record TargetColdReset() implements TaskManagement {}
}
