package io.coppice.engine.device;

import org.jspecify.annotations.Nullable;

/// A device could not do what it was asked: what, where, and the cause.
public sealed class DeviceException extends RuntimeException
    permits DeviceCalls.NoAnswer, DeviceException.NoSpace {

  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The same unless the device just found no place.
  public static @Nullable DeviceException failure(@Nullable DeviceException e) {
    return e instanceof NoSpace ? null : e;
  }

  public static void throwIfNoSpace(@Nullable DeviceException e) {
    if (e instanceof NoSpace) {
      throw e;
    }
  }

  /// A write, or an allocation, found no place on the medium. What was stored elsewhere is as it
  /// was, and the same bytes may be written once more later: unlike after a failed sync nobody was
  /// told that they are stable, and no other write is concerned. What is stored where the write was
  /// to go is undefined.
  public static final class NoSpace extends DeviceException {

    private static final long serialVersionUID = 1L;

    public NoSpace(String message) {
      super(message);
    }

    public NoSpace(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
