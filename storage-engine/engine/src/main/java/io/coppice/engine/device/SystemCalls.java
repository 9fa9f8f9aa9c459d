package io.coppice.engine.device;

import java.lang.invoke.MethodHandles;

/// The calls of the system that devices make.
public final class SystemCalls {

  private SystemCalls() {}

  /// Binds them, which the first device that is opened would otherwise wait for: a fifth of a
  /// second. From any thread, as often as wanted; changes nothing but the time that an open takes.
  public static void bindAhead() {
    if (LinuxFile.isSupported()) {
      try {
        MethodHandles.lookup().ensureInitialized(LinuxAio.class);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("expected a class of this package", e);
      }
    }
  }
}
