package io.coppice.engine;

/// An expected failure of the engine. The message says what was expected, what came, and of which
/// object.
///
/// Unless a subclass says otherwise nothing has changed when one of these is thrown.
public abstract sealed class StorageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private StorageException(String message) {
    super(message);
  }

  private StorageException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The volume does not exist.
  public static final class NotFound extends StorageException {
    private static final long serialVersionUID = 1L;

    public NotFound(String message) {
      super(message);
    }
  }

  /// A volume of that id exists already, made by another operation.
  public static final class AlreadyExists extends StorageException {
    private static final long serialVersionUID = 1L;

    public AlreadyExists(String message) {
      super(message);
    }
  }

  /// A size, range, alignment, attribute or record key is outside what the method accepts.
  public static final class InvalidRequest extends StorageException {
    private static final long serialVersionUID = 1L;

    public InvalidRequest(String message) {
      super(message);
    }
  }

  /// A changing call on a snapshot.
  public static final class ReadOnly extends StorageException {
    private static final long serialVersionUID = 1L;

    public ReadOnly(String message) {
      super(message);
    }
  }

  /// Two volumes are not of one family, or a snapshot is not one of that volume.
  public static final class Unrelated extends StorageException {
    private static final long serialVersionUID = 1L;

    public Unrelated(String message) {
      super(message);
    }
  }

  /// The pool cannot take what the call needs.
  public static final class OutOfSpace extends StorageException {
    private static final long serialVersionUID = 1L;

    public OutOfSpace(String message) {
      super(message);
    }
  }

  /// The call was withdrawn before its record entered the log.
  public static final class TimedOut extends StorageException {
    private static final long serialVersionUID = 1L;

    public TimedOut(String message) {
      super(message);
    }
  }

  /// Stored bytes fail their check: they are reported, never returned.
  public static final class Damaged extends StorageException {
    private static final long serialVersionUID = 1L;

    public Damaged(String message) {
      super(message);
    }
  }

  /// The device failed, now or earlier, or the engine is closed. Whether a changing call that ends
  /// this way happened is known only after the next open.
  public static final class DeviceFailed extends StorageException {
    private static final long serialVersionUID = 1L;

    public DeviceFailed(String message) {
      super(message);
    }

    public DeviceFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /// The pool cannot be opened: in use by another process, of another format version, not a pool,
  /// not writable, or smaller than it must be.
  public static final class PoolUnusable extends StorageException {
    private static final long serialVersionUID = 1L;

    public PoolUnusable(String message) {
      super(message);
    }

    public PoolUnusable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
