package io.coppice.driver.soap;

/// The provider did not answer: no connection, a broken one, or no reply in time. Whether the call
/// took effect is not known.
public final class UnreachableException extends RuntimeException {
  UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
