package io.coppice.scsi.transport;

/// The service response to a task management function (SAM-5 §7.1).
public enum TaskManagementOutcome {
  FUNCTION_COMPLETE,
  FUNCTION_REJECTED,
  INCORRECT_LOGICAL_UNIT_NUMBER
}
