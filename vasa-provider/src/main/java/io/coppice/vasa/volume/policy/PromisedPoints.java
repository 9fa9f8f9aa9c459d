package io.coppice.vasa.volume.policy;

import io.coppice.engine.VolumeId;
import java.util.Collection;
import java.util.Map;

/// The source of what is promised of recovery points.
public interface PromisedPoints {

  /// The promises for volumes, also for those that the current viewer does not see, in a few
  /// statements, whatever their number. What nothing protects is left out.
  Map<VolumeId, PointPromise> of(Collection<VolumeId> volumes);
}
