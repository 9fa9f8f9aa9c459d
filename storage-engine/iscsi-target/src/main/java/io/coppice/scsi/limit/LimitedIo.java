package io.coppice.scsi.limit;

/// An I/O that may have to wait.
@FunctionalInterface
public interface LimitedIo {

  /// It has waited long enough and begins now. Called once, without locks, on the thread of the
  /// [LimiterTimer] or of whoever changes a limit; must not block.
  void begin();
}
