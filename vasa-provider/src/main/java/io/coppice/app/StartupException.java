package io.coppice.app;

/// Coppice cannot start; the message is one sentence for the operator.
public final class StartupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StartupException(String message) {
    super(message);
  }

  StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}
