package io.coppice.vasa.policy;

import io.coppice.scsi.limit.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Requirements of one virtual volume: the alternative of its profile that was chosen for it.
///
/// | Component | Meaning |
/// |---|---|
/// | `space` | whether all of its space is set aside; null for either |
/// | `snapshotInterval` | how often a snapshot is taken; null for never |
/// | `snapshotRetention` | how long such a snapshot is kept and then deleted; null for good |
/// | `limits` | the most that it may do, to be held exactly; 0 for any |
/// | `points` | recovery points that it must have, whoever sees to them |
public record Requirements(
    @Nullable SpaceEfficiency space,
    @Nullable Duration snapshotInterval,
    @Nullable Duration snapshotRetention,
    Limits limits,
    PointDemand points) {

  /// Nothing is required.
  public static final Requirements NONE = new Requirements(null, null, null);

  /// Requirements without limits.
  public Requirements(
      @Nullable SpaceEfficiency space,
      @Nullable Duration snapshotInterval,
      @Nullable Duration snapshotRetention) {
    this(space, snapshotInterval, snapshotRetention, Limits.NONE);
  }

  /// Requirements that demand no recovery points.
  public Requirements(
      @Nullable SpaceEfficiency space,
      @Nullable Duration snapshotInterval,
      @Nullable Duration snapshotRetention,
      Limits limits) {
    this(space, snapshotInterval, snapshotRetention, limits, PointDemand.NONE);
  }

  /// Whether the space of the whole volume must be set aside.
  public boolean thick() {
    return space == SpaceEfficiency.THICK;
  }

  Requirements withSpace(SpaceEfficiency other) {
    return new Requirements(other, snapshotInterval, snapshotRetention, limits, points);
  }

  Requirements withSnapshotInterval(Duration other) {
    return new Requirements(space, other, snapshotRetention, limits, points);
  }

  Requirements withSnapshotRetention(Duration other) {
    return new Requirements(space, snapshotInterval, other, limits, points);
  }

  Requirements withLimits(Limits other) {
    return new Requirements(space, snapshotInterval, snapshotRetention, other, points);
  }

  Requirements withPoints(PointDemand other) {
    return new Requirements(space, snapshotInterval, snapshotRetention, limits, other);
  }
}
