package io.coppice.iscsi;

/// The target cannot listen. Its message is one sentence for an operator.
public final class IscsiStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  IscsiStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
