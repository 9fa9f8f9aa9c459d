package io.coppice.vasa.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A demand for recovery points of a volume.
///
/// | Component | Meaning |
/// |---|---|
/// | `age` | the most that the youngest point may be old; null for any |
/// | `kept` | the least time for which some points are kept; null for any |
/// | `locked` | the least time for which some points are locked; null for none |
public record PointDemand(
    @Nullable Duration age, @Nullable Duration kept, @Nullable Duration locked) {

  /// Nothing is demanded.
  public static final PointDemand NONE = new PointDemand(null, null, null);

  PointDemand withAge(Duration other) {
    return new PointDemand(other, kept, locked);
  }

  PointDemand withKept(Duration other) {
    return new PointDemand(age, other, locked);
  }

  PointDemand withLocked(Duration other) {
    return new PointDemand(age, kept, other);
  }
}
