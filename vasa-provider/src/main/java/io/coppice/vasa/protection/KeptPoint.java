package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import java.util.List;
import java.util.UUID;

/// A recovery point as it is kept.
///
/// @param point when it was taken, and for which rules
/// @param group the protected group that it belongs to
/// @param name of its snapshots when they were taken
/// @param snapshots those that are left
public record KeptPoint(RecoveryPoint point, UUID group, String name, List<VolumeId> snapshots) {
  public KeptPoint {
    snapshots = List.copyOf(snapshots);
  }
}
