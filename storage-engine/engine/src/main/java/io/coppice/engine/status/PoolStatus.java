package io.coppice.engine.status;

import java.time.Instant;

/// The state of a pool's service: whether hosts' I/O is served, and why not or not safely.
///
/// | Component | Meaning |
/// |---|---|
/// | `state` | how it serves |
/// | `since` | when the pool came into this state, as far as it was open then |
/// | `reason` | one sentence for people; empty while it serves as it was made to |
public record PoolStatus(State state, Instant since, String reason) {

  /// The state of a pool's service.
  public enum State {
    /// All I/O is served as intended.
    SERVING,
    /// All I/O is served, but something that it relies on is missing.
    DEGRADED,
    /// No I/O is served. Only a new start of the process ends this.
    STOPPED
  }

  public boolean isStopped() {
    return state == State.STOPPED;
  }

  /// Clause that says what happens to volumes' I/O, to be added to a sentence about something else.
  public String clause() {
    return switch (state) {
      case SERVING -> "volumes are served";
      case DEGRADED -> "volumes are served, though: " + reason;
      case STOPPED -> "no volume is served since %s: %s".formatted(since, reason);
    };
  }
}
