package io.coppice.scsi.secret;

/// A failure to read or write a secret that stands in the pool; nothing has changed. Its message is
/// a sentence for people and holds no secret.
public final class SecretsLockedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SecretsLockedException(String message) {
    super(message);
  }

  SecretsLockedException(String message, Throwable cause) {
    super(message, cause);
  }
}
