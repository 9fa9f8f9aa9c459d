package io.coppice.engine;

import java.time.Instant;

/// An expected failure of the engine. The message says which object it concerns, and what was
/// expected and found.
///
/// Unless a subclass says otherwise, nothing has changed when one of these is thrown.
public abstract sealed class StorageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private StorageException(String message) {
    super(message);
  }

  private StorageException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The error that the volume does not exist.
  public static final class NotFound extends StorageException {
    private static final long serialVersionUID = 1L;

    public NotFound(String message) {
      super(message);
    }
  }

  /// The error that another operation has made a volume of that id already.
  public static final class AlreadyExists extends StorageException {
    private static final long serialVersionUID = 1L;

    public AlreadyExists(String message) {
      super(message);
    }
  }

  /// The error that the method does not accept a size, range, alignment, attribute or record key.
  public static final class InvalidRequest extends StorageException {
    private static final long serialVersionUID = 1L;

    public InvalidRequest(String message) {
      super(message);
    }
  }

  /// The error that a changing call concerns a snapshot.
  public static final class ReadOnly extends StorageException {
    private static final long serialVersionUID = 1L;

    public ReadOnly(String message) {
      super(message);
    }
  }

  /// The error that two volumes are not of one family, or a snapshot is not one of that volume.
  public static final class Unrelated extends StorageException {
    private static final long serialVersionUID = 1L;

    public Unrelated(String message) {
      super(message);
    }
  }

  /// The error that a snapshot is locked, and the call would end it or its lock too early.
  public static final class Locked extends StorageException {
    private static final long serialVersionUID = 1L;

    private final Instant until;

    /// @param until end of the lock, by the lock time of the pool
    public Locked(String message, Instant until) {
      super(message);
      this.until = until;
    }

    /// The end of the lock, by the lock time of the pool.
    public Instant until() {
      return until;
    }
  }

  /// The error that the pool lacks the space that the call needs.
  public static final class OutOfSpace extends StorageException {
    private static final long serialVersionUID = 1L;

    public OutOfSpace(String message) {
      super(message);
    }
  }

  /// The error that the call was withdrawn before its record entered the log.
  public static final class TimedOut extends StorageException {
    private static final long serialVersionUID = 1L;

    public TimedOut(String message) {
      super(message);
    }
  }

  /// The error that what a question was about changed too often to be answered.
  public static final class Overtaken extends StorageException {
    private static final long serialVersionUID = 1L;

    public Overtaken(String message) {
      super(message);
    }
  }

  /// The error that stored bytes fail their check: they are reported, never returned.
  public static final class Damaged extends StorageException {
    private static final long serialVersionUID = 1L;

    public Damaged(String message) {
      super(message);
    }
  }

  /// The error that the device failed, now or earlier, or the engine is closed. Whether a changing
  /// call that ends this way happened is known only after the next open.
  public static final class DeviceFailed extends StorageException {
    private static final long serialVersionUID = 1L;

    public DeviceFailed(String message) {
      super(message);
    }

    public DeviceFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /// The error that the pool cannot be opened: in use by another process, of another format
  /// version, not a pool, not writable, or too small.
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
