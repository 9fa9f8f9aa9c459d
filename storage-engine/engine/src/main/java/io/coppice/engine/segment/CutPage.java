package io.coppice.engine.segment;

import io.coppice.engine.format.table.PageRow;

/// The content of a segment of the log as of the cut of a checkpoint, which makes a [PageRow] of
/// it.
public sealed interface CutPage {

  PageRow.Counts counts();

  /// Content so short that it stays in memory and in the tables.
  record Here(PageRow.Counts counts, PageContent content) implements CutPage {}

  /// Content whose page is to be stored.
  ///
  /// @param sealed whether the segment is
  record Fresh(PageRow.Counts counts, boolean sealed, PageContent content) implements CutPage {}

  /// Content whose page was stored, with the blocks that came to life or died since.
  ///
  /// @param steps as in [ZoneExtents]
  record Kept(PageRow.Counts counts, StoredPage at, int[] steps, BlockSet changes)
      implements CutPage {

    /// The row of the tables.
    public PageRow row() {
      return new PageRow.Stored(counts, at.node(), steps, changes.words());
    }
  }
}
