package io.coppice.engine.checkpoint;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.segment.PlacementRun;
import io.coppice.engine.segment.SegmentCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The table of placements: a row for each segment with blocks that have two placements or more.
///
/// @param runs as in pools from before there were packed counts
/// @param rows with packed counts
public record StoredPlacements(List<PlacementRun> runs, List<SegmentCounts> rows) {

  private static final int LEAST_ROW = 8;

  static void encode(PlacementCounts.Frozen rows, ByteSink out) {
    out.u32(rows.rows());
    rows.forEach(row -> row.encode(out));
  }

  /// @throws FormatException if it is not such a table
  static StoredPlacements decode(ByteSource in, Superblock.Features features) {
    if (!features.hasPackedCounts()) {
      return new StoredPlacements(features.hasPlacementRuns() ? runs(in) : pairs(in), List.of());
    }
    List<SegmentCounts> rows = new ArrayList<>();
    for (int n = in.count(LEAST_ROW); n > 0; n--) {
      rows.add(SegmentCounts.decode(in));
    }
    return new StoredPlacements(List.of(), rows);
  }

  private static List<PlacementRun> runs(ByteSource in) {
    List<PlacementRun> runs = new ArrayList<>();
    for (int n = in.count(16); n > 0; n--) {
      runs.add(new PlacementRun(in.u64(), in.u32(), Integer.toUnsignedLong(in.u32())));
    }
    return runs;
  }

  /// The table in its form from before there were runs.
  private static List<PlacementRun> pairs(ByteSource in) {
    int numbers = in.count(8);
    StoredTables.require(numbers % 2 == 0, "pairs of addresses and counts", numbers);
    List<PlacementRun> runs = new ArrayList<>();
    for (int i = 0; i < numbers; i += 2) {
      runs.add(new PlacementRun(in.u64(), 1, in.u64()));
    }
    return runs;
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

  public void restore(PlacementCounts counts) {
    runs.forEach(counts::restore);
    rows.forEach(counts::restore);
  }
}
