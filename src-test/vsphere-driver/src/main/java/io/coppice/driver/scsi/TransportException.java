package io.coppice.driver.scsi;

/// The way to the target failed: whether a command that was under way took effect is not known.
public final class TransportException extends RuntimeException {
  public TransportException(String message) {
    super(message);
  }

  public TransportException(String message, Throwable cause) {
    super(message, cause);
  }
}
