package io.coppice.app.database;

/// A failure to start or use the database. The message is one sentence for the operator.
public final class DatabaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public DatabaseException(String message) {
    super(message);
  }

  public DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
