package io.coppice.app.database;

/// The database cannot be started or used; the message is one sentence for the operator.
public final class DatabaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public DatabaseException(String message) {
    super(message);
  }

  public DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
