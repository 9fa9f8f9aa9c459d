package io.coppice.iscsi;

/// A failure of the target to listen. Its message is one sentence for an operator.
public final class IscsiStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  IscsiStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
