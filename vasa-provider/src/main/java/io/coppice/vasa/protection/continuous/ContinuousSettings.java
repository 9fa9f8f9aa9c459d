package io.coppice.vasa.protection.continuous;

import java.time.Duration;

/// The settings of continuous protection.
///
/// @param reconcileInterval longest time between two looks at all volumes
/// @param timelineGrace how long the journal stays of a volume that no group protects any more
public record ContinuousSettings(Duration reconcileInterval, Duration timelineGrace) {}
