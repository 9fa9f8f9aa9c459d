package io.coppice.scsi.limit;

/// An I/O that may have to wait.
@FunctionalInterface
interface LimitedIo {

  /// Begins: it has waited long enough. Called once, without locks, on the thread of the
  /// [LimiterTimer] or of whoever changes a limit; must not block.
  void begin();
}
