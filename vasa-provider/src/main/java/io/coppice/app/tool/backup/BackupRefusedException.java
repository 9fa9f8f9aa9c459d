package io.coppice.app.tool.backup;

/// A refusal to back up or restore. Nothing was done; the message is one sentence for the operator.
final class BackupRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BackupRefusedException(String message) {
    super(message);
  }

  BackupRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
