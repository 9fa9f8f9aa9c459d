package io.coppice.api.volume;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A map for pictures of where two volumes or snapshots of a family differ.
///
/// @param cells bytes that differ in each of so many equal pieces, as far as this part has looked
/// @param bytes their sum
/// @param next cursor of the part that follows, whose figures are to be added; null at the end
/// @param size of what was looked at, in bytes
/// @param sinceSize of what it was compared with; null for nothing
public record DifferenceMap(
    List<Long> cells, long bytes, @Nullable String next, long size, @Nullable Long sinceSize) {

  public DifferenceMap {
    cells = List.copyOf(cells);
  }
}
