package io.coppice.engine.device;

import org.jspecify.annotations.Nullable;

/// The failure of a device to do what it was asked: what, where, and the cause.
public sealed class DeviceException extends RuntimeException
    permits DeviceCalls.NoAnswer, DeviceException.NoSpace {

  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The same failure, or null if the device just found no place.
  public static @Nullable DeviceException failure(@Nullable DeviceException e) {
    return e instanceof NoSpace ? null : e;
  }

  public static void throwIfNoSpace(@Nullable DeviceException e) {
    if (e instanceof NoSpace) {
      throw e;
    }
  }

  /// A write, or an allocation, that found no place on the medium. Data stored elsewhere is
  /// unchanged, and the same bytes may be written again later. Unlike after a failed sync, no
  /// caller was told that they are stable, and no other write is concerned. The content at the
  /// write's destination is undefined.
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
