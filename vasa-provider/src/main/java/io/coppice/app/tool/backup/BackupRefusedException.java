package io.coppice.app.tool.backup;

/// Nothing was backed up or restored; the message is one sentence for the operator.
final class BackupRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BackupRefusedException(String message) {
    super(message);
  }

  BackupRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
