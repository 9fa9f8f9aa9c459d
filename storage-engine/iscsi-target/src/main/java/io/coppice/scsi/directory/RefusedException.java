package io.coppice.scsi.directory;

import java.util.Objects;

/// A change of the [LunDirectory] that its rules forbid; nothing has changed.
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// The rule that forbids the change.
  public enum Reason {
    /// The volume, host or endpoint does not exist.
    UNKNOWN,
    /// The initiator, number or volume is in use by something else.
    IN_USE,
    /// The number was another volume's, and hosts may not have noticed the end of that.
    RESTING,
    /// An argument is outside what the method accepts.
    INVALID,
    /// All numbers are taken.
    EXHAUSTED
  }

  private final Reason reason;

  public RefusedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  public Reason reason() {
    return reason;
  }
}
