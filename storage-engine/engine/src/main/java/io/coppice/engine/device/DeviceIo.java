package io.coppice.engine.device;

/// The method by which a file is read.
public enum DeviceIo {
  /// Many reads at a time by `io_submit` where the system has it and allows it, else as [#PREAD].
  AUTO,
  /// As [#AUTO]; a file is not opened where that is not so.
  AIO,
  /// Each read by a call of its own; no queue is ever tried.
  PREAD
}
