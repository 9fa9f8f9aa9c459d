package io.coppice.replication;

import java.util.Objects;

/// A failure of replication that its reason explains. The message is a sentence that says what was
/// expected, what came, and what can be done. Every replica that was whole before still is.
public final class ReplicationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// The kinds of failure: what to do about them differs.
  public enum Reason {
    /// The other pool was not reached, or fell silent. To be tried again.
    UNREACHABLE,
    /// The other pool speaks no version that this one does. One of the two must be upgraded.
    VERSION,
    /// The other one is not the pool that was expected, or may not do this.
    FORBIDDEN,
    /// The group is in a state in which this is not done there, such as failed over.
    STATE,
    /// The target has no base any more that the cycle names. The cycle must choose another one.
    NO_BASE,
    /// A pool lacks the space.
    OUT_OF_SPACE,
    /// What arrived is not what was sent, or breaks the rules of the protocol. To be tried again.
    DAMAGED,
    /// A pool failed. Its own alerts say why.
    POOL_FAILED,
    /// Another cycle of the group is on its way.
    BUSY
  }

  private final Reason reason;
  private final String sentence;

  public ReplicationException(Reason reason, String message) {
    super(message);
    sentence = message;
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  public ReplicationException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    sentence = message;
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  public Reason reason() {
    return reason;
  }

  /// The message.
  public String sentence() {
    return sentence;
  }
}
