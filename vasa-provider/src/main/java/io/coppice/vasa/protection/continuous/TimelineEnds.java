package io.coppice.vasa.protection.continuous;

import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The ends of timelines, by the time that has passed.
///
/// @param volumes whose timelines end, since nothing protects them any more
/// @param tiers that end, by the time between their points: the rule of the volume has them no
///   more, or keeps their points for less
public record TimelineEnds(
    Map<VolumeId, Instant> volumes, Map<VolumeId, Map<Duration, Instant>> tiers) {

  public TimelineEnds {
    volumes = Map.copyOf(volumes);
    tiers = Map.copyOf(tiers);
  }

  /// When the timeline of a volume ends; empty if something protects it.
  public Optional<Instant> of(VolumeId volume) {
    return Optional.ofNullable(volumes.get(volume));
  }

  /// When a tier of a volume ends; empty if its rule wants it as it is.
  public Optional<Instant> of(VolumeId volume, Duration every) {
    return Optional.ofNullable(tiers.getOrDefault(volume, Map.of()).get(every));
  }
}
