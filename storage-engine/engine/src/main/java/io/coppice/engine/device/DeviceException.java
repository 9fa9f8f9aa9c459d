package io.coppice.engine.device;

/// A device could not do what it was asked: what, where, and the cause.
public final class DeviceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
