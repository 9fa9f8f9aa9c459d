package io.coppice.engine.device;

/// The method by which a file is read.
public enum DeviceIo {
  /// Many reads at a time by `io_submit` if the system has it and allows it, else as [#PREAD].
  AUTO,
  /// As [#AUTO], but without `io_submit` a file is not opened.
  AIO,
  /// Each read by a call of its own; no queue is ever tried.
  PREAD
}
