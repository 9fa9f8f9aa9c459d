package io.coppice.engine.checkpoint;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.table.PageRow;
import io.coppice.engine.segment.CutPage;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.StoredPage;
import io.coppice.engine.segment.ZoneExtents;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/// The pages of one checkpoint, and the rows of the segments of the log: each has its living blocks
/// with their places, or references its page.
final class CheckpointPages {

  private final int blocks;
  private final List<Pages.Stored> stored = new ArrayList<>();

  /// The destination of pages to be stored.
  interface Store {

    /// @param bytes of the page behind its segment
    StoredPage page(int segment, byte[] bytes);
  }

  /// @param blocks of a zone
  CheckpointPages(int blocks) {
    this.blocks = blocks;
  }

  /// The pages that were stored.
  List<Pages.Stored> stored() {
    return stored;
  }

  /// Stores the pages that are due.
  void run(List<CutPage> all, Store store) {
    for (CutPage row : all) {
      if (row instanceof CutPage.Fresh fresh) {
        stored.add(stored(fresh, store));
      }
    }
  }

  private Pages.Stored stored(CutPage.Fresh row, Store store) {
    PageImage image = row.content().image();
    byte[] bytes = encoded(image);
    int segment = row.counts().segment();
    return PageImage.length(bytes) > PageImage.MAX_LENGTH
        ? new Pages.Stored(segment, row.sealed(), null, new int[0])
        : new Pages.Stored(
            segment, row.sealed(), store.page(segment, bytes), ZoneExtents.of(image, blocks));
  }

  private static byte[] encoded(PageImage image) {
    ByteSink out = new ByteSink(64);
    image.encode(out);
    return out.toBytes();
  }

  /// Shows the rows of all segments. The pages that were due have been stored.
  void forEach(List<CutPage> all, Consumer<PageRow> taker) {
    Iterator<Pages.Stored> pages = stored.iterator();
    for (CutPage cut : all) {
      taker.accept(
          switch (cut) {
            case CutPage.Kept kept -> kept.row();
            case CutPage.Here(var counts, var content) -> new PageRow.Here(counts, content.image());
            case CutPage.Fresh fresh -> row(fresh, pages.next());
          });
    }
  }

  private PageRow row(CutPage.Fresh fresh, Pages.Stored page) {
    StoredPage at = page.at();
    return at == null
        ? new PageRow.Here(fresh.counts(), fresh.content().image())
        : new PageRow.Stored(fresh.counts(), at.node(), page.steps(), new long[blocks / 64]);
  }
}
