package io.coppice.engine.status;

/// The two devices of a pool that is kept on two.
///
/// | Component | Meaning |
/// |---|---|
/// | `first`, `second` | what each is |
/// | `percentFilled` | of what the one that is being filled must hold, 0 to 100; 100 if none is |
/// | `sentence` | for people; empty while both hold everything that was stored |
public record MirrorStatus(State first, State second, int percentFilled, String sentence) {

  /// The state of a device.
  public enum State {
    /// It holds everything.
    WHOLE,
    /// It gets all that is written, and what was written before is being copied to it.
    FILLING,
    /// It is missing, or failed and was left out.
    ABSENT
  }

  /// Whether each holds everything, so that either may be lost.
  public boolean isRedundant() {
    return first == State.WHOLE && second == State.WHOLE;
  }
}
