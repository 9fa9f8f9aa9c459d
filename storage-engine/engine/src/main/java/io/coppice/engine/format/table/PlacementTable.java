package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The blocks with two placements or more.
///
/// @param runs in pools without packed counts
/// @param rows with packed counts: a row for each segment with such blocks, ascending
public record PlacementTable(List<PlacementRun> runs, Rows<PlacementRow> rows) {

  private static final int LEAST_ROW = 8;

  /// A table to be written.
  public PlacementTable(Rows<PlacementRow> rows) {
    this(List.of(), rows);
  }

  void encode(ByteSink out) {
    rows.encode(out, PlacementRow::encode);
  }

  static PlacementTable decode(ByteSource in, Superblock.Features features) {
    if (!features.hasPackedCounts()) {
      List<PlacementRun> runs =
          features.hasPlacementRuns()
              ? in.list(PlacementRun.LENGTH, PlacementRun::decode)
              : pairs(in);
      return new PlacementTable(runs, Rows.of(List.<PlacementRow>of(), Function.identity()));
    }
    List<PlacementRow> rows = in.list(LEAST_ROW, PlacementRow::decode);
    return new PlacementTable(Rows.of(rows, Function.identity()));
  }

  /// The table in its form from before there were runs.
  private static List<PlacementRun> pairs(ByteSource in) {
    int numbers = in.count(8);
    if (numbers % 2 != 0) {
      throw new FormatException("expected pairs of counts, found %d".formatted(numbers));
    }
    List<PlacementRun> runs = new ArrayList<>();
    for (int i = 0; i < numbers; i += 2) {
      runs.add(PlacementRun.decodePair(in));
    }
    return runs;
  }
}
