package io.coppice.scsi.directory;

import io.coppice.engine.VolumeId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private final transient @Nullable VolumeId other;

  public RefusedException(Reason reason, String message) {
    this(reason, message, null);
  }

  private RefusedException(Reason reason, String message, @Nullable VolumeId other) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
    this.other = other;
  }

  /// A change that is forbidden on account of another volume, of which the message tells.
  public static RefusedException becauseOf(VolumeId other, Reason reason, String message) {
    return new RefusedException(reason, message, other);
  }

  public Reason reason() {
    return reason;
  }

  /// The other volume of which the message tells, with its sessions; empty if it tells of none.
  public Optional<VolumeId> other() {
    return Optional.ofNullable(other);
  }
}
