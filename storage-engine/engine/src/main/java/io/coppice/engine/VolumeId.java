package io.coppice.engine;

import java.util.Objects;
import java.util.UUID;

/// The lasting name of a volume or snapshot: chosen by the caller at creation, never reused.
public record VolumeId(UUID value) implements Comparable<VolumeId> {

  public VolumeId {
    Objects.requireNonNull(value, "value");
  }

  public static VolumeId random() {
    return new VolumeId(UUID.randomUUID());
  }

  /// @throws IllegalArgumentException if `text` is not the 36-character form of a UUID
  public static VolumeId parse(String text) {
    UUID parsed = UUID.fromString(text);
    if (!parsed.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("expected a 36-character UUID, got: " + text);
    }
    return new VolumeId(parsed);
  }

  @Override
  public int compareTo(VolumeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
