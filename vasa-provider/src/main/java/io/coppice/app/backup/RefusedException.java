package io.coppice.app.backup;

/// Nothing was backed up or restored; the message is one sentence for the operator.
final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }

  RefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
