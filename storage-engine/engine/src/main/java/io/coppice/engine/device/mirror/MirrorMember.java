package io.coppice.engine.device.mirror;

import io.coppice.engine.device.BlockDevice;
import org.jspecify.annotations.Nullable;

/// A place of a [Mirror], one of two, with the device in it. Changed under the mirror's lock, read
/// without it.
final class MirrorMember {

  enum State {
    ABSENT,
    /// It gets new writes, but does not have all earlier ones yet.
    FILLING,
    WHOLE
  }

  /// @param device null only if it is absent
  record Held(State state, @Nullable BlockDevice device) {}

  final int number;
  volatile Held held = new Held(State.ABSENT, null);

  /// A device that does not hold everything, and may have data that the other one has lost.
  volatile @Nullable BlockDevice reserve;

  MirrorMember(int number) {
    this.number = number;
  }

  /// The device if it holds everything.
  @Nullable BlockDevice whole() {
    Held now = held;
    return now.state == State.WHOLE ? now.device : null;
  }
}
