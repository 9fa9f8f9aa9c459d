package io.coppice.replication.source;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A group of volumes that cycles take to another pool.
///
/// @param id the same in both pools
/// @param members 1 to 256
/// @param relays whether the volumes are carriers here: then cycles pass on the replicas that this
///   pool receives, and take none of their own
/// @param since when cycles from here began: cycles leave older replicas alone, which this pool
///   received, and may want to keep
public record SourceGroup(UUID id, List<SourceMember> members, boolean relays, Instant since) {

  public SourceGroup {
    members = List.copyOf(members);
  }

  /// A group whose cycles have always gone from here.
  public SourceGroup(UUID id, List<SourceMember> members, boolean relays) {
    this(id, members, relays, Instant.MIN);
  }

  /// A volume of the group.
  ///
  /// @param id as a member, the same in both pools
  /// @param attributes what the target shall know about it
  public record SourceMember(UUID id, VolumeId volume, Map<String, String> attributes) {
    public SourceMember {
      attributes = Map.copyOf(attributes);
    }
  }
}
