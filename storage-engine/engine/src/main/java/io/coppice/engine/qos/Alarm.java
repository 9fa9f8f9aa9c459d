package io.coppice.engine.qos;

/// Time for [FairQueues].
public interface Alarm {

  /// Nanoseconds since some start: never negative, never back.
  long now();

  /// Runs a task once, at about that time, on a thread of its own.
  void at(long time, Runnable task);
}
