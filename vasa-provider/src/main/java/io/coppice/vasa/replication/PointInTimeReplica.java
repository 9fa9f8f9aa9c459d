package io.coppice.vasa.replication;

import java.time.Instant;
import java.util.List;

/// The state of a group at one moment.
public record PointInTimeReplica(String id, String name, Instant at, List<String> tags) {

  public PointInTimeReplica {
    tags = List.copyOf(tags);
  }
}
