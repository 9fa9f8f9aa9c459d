package io.coppice.vasa.protection.rule;

import io.coppice.vasa.time.TimeText;
import java.time.Duration;

/// A tier of a continuous rule.
///
/// @param every time between two points
/// @param keepFor how long each of them is kept
public record PointTier(Duration every, Duration keepFor) {

  /// Such as `PT5S for PT1H`.
  public String text() {
    return "%s for %s".formatted(TimeText.iso(every), TimeText.iso(keepFor));
  }
}
