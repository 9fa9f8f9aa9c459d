package io.coppice.engine.recovery;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.table.PlacementRun;
import io.coppice.engine.format.table.PlacementTable;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.segment.SegmentCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The placements that a checkpoint has, on their way back to the counts.
///
/// @param runs in pools from before there were packed counts
/// @param rows with packed counts
record RestoredPlacements(List<PlacementRun> runs, List<SegmentCounts> rows) {

  static RestoredPlacements of(PlacementTable table) {
    List<SegmentCounts> rows = new ArrayList<>(table.rows().size());
    table.rows().source().accept(row -> rows.add(SegmentCounts.of(row)));
    return new RestoredPlacements(table.runs(), rows);
  }

  /// Checks that the blocks exist, each of them once. So they take no more memory than the pool
  /// could ask for.
  ///
  /// @param segments that there are
  /// @param blocks of a zone
  /// @throws FormatException if a row is impossible
  void check(Set<Integer> segments, int blocks) {
    Set<Integer> seen = new HashSet<>();
    for (SegmentCounts row : rows) {
      StoredTables.require(
          segments.contains(row.segment()) && seen.add(row.segment()),
          "placements of one segment that is there",
          row.segment());
      row.check(blocks);
    }
    int segment = -1;
    int end = 0;
    for (PlacementRun run :
        runs.stream().sorted(Comparator.comparingLong(PlacementRun::first)).toList()) {
      int at = BlockAddress.segment(run.first());
      int block = BlockAddress.block(run.first());
      StoredTables.require(
          BlockAddress.isValid(run.first())
              && BlockAddress.blocks(run.first()) == 1
              && segments.contains(at)
              && block >= (at == segment ? end : 0)
              && run.blocks() >= 1
              && run.blocks() <= blocks - block
              && run.placements() >= 2,
          "blocks of their own with 2 placements or more",
          run);
      segment = at;
      end = block + run.blocks();
    }
  }

  void restore(PlacementCounts counts) {
    runs.forEach(counts::restore);
    rows.forEach(counts::restore);
  }
}
