package io.coppice.api.volume;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of the ranges in which two volumes or snapshots of a family differ, ascending.
///
/// @param next cursor of the part that follows; null at the end
/// @param size of what was looked at, in bytes
/// @param sinceSize of what it was compared with; null for nothing
public record DifferenceList(
    List<DifferenceRange> items, @Nullable String next, long size, @Nullable Long sinceSize) {

  public DifferenceList {
    items = List.copyOf(items);
  }
}
