package io.coppice.driver.iscsi;

/// Task management functions, RFC 7143 §11.5.1.
enum TaskFunction {
  ABORT_TASK(1),
  ABORT_TASK_SET(2),
  CLEAR_ACA(3),
  CLEAR_TASK_SET(4),
  LOGICAL_UNIT_RESET(5),
  TARGET_WARM_RESET(6),
  TARGET_COLD_RESET(7);

  private final int code;

  TaskFunction(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
