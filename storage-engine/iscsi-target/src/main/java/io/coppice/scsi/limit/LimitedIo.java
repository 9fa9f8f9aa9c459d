package io.coppice.scsi.limit;

/// An I/O that may have to wait.
@FunctionalInterface
interface LimitedIo {

  /// Begins: it has waited long enough. Called once, without locks, on the thread of the
  /// [LimiterTimer] or of whoever changes a limit; must not block.
  void begin();

  /// As [#begin], for an I/O that counts how long it was held back.
  ///
  /// @param heldNanos that time, 0 and more
  default void beginAfter(long heldNanos) {
    begin();
  }
}
