package io.coppice.scsi.limit;

/// The clock and the alarms of [FairQueues].
public interface LimiterTimer {

  /// Nanoseconds since some start; never negative, and never go back.
  long now();

  /// Runs a task once, at about that time, on a thread of the timer's own.
  void at(long time, Runnable task);
}
