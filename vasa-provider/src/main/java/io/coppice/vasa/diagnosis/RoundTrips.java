package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.util.Optional;

/// The round trips between us and the initiators.
@FunctionalInterface
public interface RoundTrips {

  /// The longest of the sessions that use a volume, as the last ping of each measured it; empty if
  /// none has been answered yet.
  Optional<Duration> to(VolumeId volume);
}
