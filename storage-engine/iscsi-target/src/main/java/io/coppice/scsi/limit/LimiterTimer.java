package io.coppice.scsi.limit;

/// Time for [FairQueues].
public interface LimiterTimer {

  /// Nanoseconds since some start: never negative, never back.
  long now();

  /// Runs a task once, at about that time, on a thread of its own.
  void at(long time, Runnable task);
}
