package io.coppice.engine;

import java.util.Map;
import java.util.Objects;

/// A writable volume `id` that begins with the content of `source` (volume or snapshot) at the cut.
public record CloneSpec(
    VolumeId source, VolumeId id, boolean reserved, Map<String, String> attributes) {

  public CloneSpec {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(id, "id");
    attributes = Map.copyOf(attributes);
  }
}
