package io.coppice.replication;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A point in time of a group that a pool has received whole.
///
/// @param cycle id of the cycle that brought it
/// @param number as the cycle's: later replicas of a group have greater ones
/// @param taken when the source took it, by the source's clock
/// @param name as the cycle's
/// @param tags as the cycle's
/// @param snapshots the snapshot of each member, by the member's id
public record Replica(
    UUID cycle,
    long number,
    Instant taken,
    String name,
    List<String> tags,
    Map<UUID, VolumeId> snapshots) {

  public Replica {
    tags = List.copyOf(tags);
    snapshots = Map.copyOf(snapshots);
  }
}
