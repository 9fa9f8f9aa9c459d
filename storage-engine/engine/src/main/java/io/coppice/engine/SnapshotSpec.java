package io.coppice.engine;

import java.util.Map;
import java.util.Objects;

/// One member of a consistency group: the content of `source` at the cut becomes snapshot `id`.
public record SnapshotSpec(VolumeId source, VolumeId id, Map<String, String> attributes) {

  public SnapshotSpec {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(id, "id");
    attributes = Map.copyOf(attributes);
  }
}
