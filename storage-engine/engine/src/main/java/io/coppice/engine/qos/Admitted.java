package io.coppice.engine.qos;

/// An I/O that may have to wait.
@FunctionalInterface
public interface Admitted {

  /// It has waited long enough and begins now. Called once, without locks, on the thread of the
  /// [Alarm] or of whoever changes a limit; must not block.
  void begin();
}
