package io.coppice.vasa.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What one virtual volume must be given: the alternative of a profile that was chosen for it.
///
/// | Component | Meaning |
/// |---|---|
/// | `space` | whether all of its space is set aside; null for either |
/// | `snapshotInterval` | how often a snapshot is taken; null for never |
/// | `snapshotRetention` | how long such a snapshot is kept and then deleted; null for good |
public record Requirements(
    @Nullable SpaceEfficiency space,
    @Nullable Duration snapshotInterval,
    @Nullable Duration snapshotRetention) {

  /// Nothing is required.
  public static final Requirements NONE = new Requirements(null, null, null);

  /// Whether the space of the whole volume must be set aside.
  public boolean thick() {
    return space == SpaceEfficiency.THICK;
  }
}
