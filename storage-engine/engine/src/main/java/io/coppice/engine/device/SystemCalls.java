package io.coppice.engine.device;

import java.lang.invoke.MethodHandles;

/// The calls of the system that devices make.
public final class SystemCalls {

  private SystemCalls() {}

  /// Binds the calls, which would otherwise delay the first open of a device by a fifth of a
  /// second. From any thread, any number of times; changes only the time that an open takes.
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
