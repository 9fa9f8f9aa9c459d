package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// How much hosts read and wrote since the provider started. Safe for any thread.
public interface TrafficCounts {

  /// Of every volume that somebody reaches now; counted since it became reachable.
  Map<VolumeId, Traffic> byVolume();

  /// Of all volumes together, those that nobody reaches any more included: it only grows.
  Traffic inAll();
}
