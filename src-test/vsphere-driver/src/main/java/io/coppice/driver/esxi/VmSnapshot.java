package io.coppice.driver.esxi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A snapshot of a machine: one snapshot vVol for each of its data vVols, in their order, and the
/// vVol with its memory if it was taken of the running machine with memory.
public record VmSnapshot(String name, List<String> diskIds, @Nullable String memoryId) {
  public VmSnapshot {
    diskIds = List.copyOf(diskIds);
  }
}
