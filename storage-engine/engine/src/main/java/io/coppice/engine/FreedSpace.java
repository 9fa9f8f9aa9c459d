package io.coppice.engine;

import java.util.List;

/// The space that the pool gets back when volumes and snapshots are deleted in an order, once their
/// remains have been reclaimed.
///
/// Only blocks of data count, of 4096 bytes each. Metadata and the promise to a reserved volume
/// come back beside them.
///
/// @param steps what is deleted, in order
/// @param atLeast whether it may be more: some of the blocks are also in data that was deleted
///   before and is not reclaimed yet. Without such data it is exact
public record FreedSpace(List<Step> steps, boolean atLeast) {

  /// A deletion.
  ///
  /// @param bytes what it and all deletions before it give back together
  public record Step(VolumeId volume, long bytes) {}

  public FreedSpace {
    steps = List.copyOf(steps);
  }

  /// What all of them give back together, in bytes.
  public long bytes() {
    return steps.isEmpty() ? 0 : steps.getLast().bytes();
  }
}
