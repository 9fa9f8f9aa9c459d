package io.coppice.scsi.directory;

import java.util.Objects;

/// The name of a host for the pool: the control plane's text, at most 200 bytes of UTF-8, no `/`.
public record HostId(String value) implements Comparable<HostId> {

  public HostId {
    Objects.requireNonNull(value, "value");
    if (value.isEmpty() || value.length() > 200 || value.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "expected a host id of 1 to 200 characters without '/', got: " + value);
    }
  }

  @Override
  public int compareTo(HostId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
