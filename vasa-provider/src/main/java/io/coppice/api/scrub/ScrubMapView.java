package io.coppice.api.scrub;

import java.util.List;

/// The zones of the pool in a row of cells, with what the scrubber knows of each.
///
/// @param zones of the pool
/// @param zoneBytes bytes of each
/// @param unplaced findings that are in no cell, because nobody knows their zone
/// @param cells equal shares of the zones, in their order
public record ScrubMapView(int zones, int zoneBytes, int unplaced, List<ScrubMapCell> cells) {

  public ScrubMapView {
    cells = List.copyOf(cells);
  }
}
