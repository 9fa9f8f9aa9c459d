package io.coppice.engine.checkpoint;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.PageRow;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredPage;
import io.coppice.engine.segment.ZoneExtents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/// The last table of a checkpoint: for each segment of the log its living blocks with their places,
/// or its page.
final class CheckpointPages {

  private static final int LEAST_ROW = 17;

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
  void run(List<PageRow> all, Store store) {
    for (PageRow row : all) {
      if (row instanceof PageRow.Fresh fresh) {
        stored.add(stored(fresh, store));
      }
    }
  }

  private Pages.Stored stored(PageRow.Fresh row, Store store) {
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

  /// Writes the rows of all segments. The pages that were due have been stored.
  void encode(List<PageRow> all, ByteSink out) {
    out.u32(all.size());
    Iterator<Pages.Stored> pages = stored.iterator();
    for (PageRow row : all) {
      switch (row) {
        case PageRow.Kept kept -> kept.encode(out);
        case PageRow.Here here ->
            PageRow.encode(here.counts(), encoded(here.content().image()), out);
        case PageRow.Fresh fresh -> {
          Pages.Stored page = pages.next();
          StoredPage at = page.at();
          if (at == null) {
            PageRow.encode(fresh.counts(), encoded(fresh.content().image()), out);
          } else {
            PageRow.encode(fresh.counts(), at, page.hosts(), blocks, out);
          }
        }
      }
    }
  }

  // ---- back

  /// Reads the table and restores its content. Segments must have been restored.
  ///
  /// @throws FormatException if it is not one
  static void restore(ByteSource in, Segments segments, Pages pages) {
    Set<Integer> seen = new HashSet<>();
    long moved = 0;
    long guests = 0;
    for (int n = in.count(LEAST_ROW); n > 0; n--) {
      PageRow.Counts counts = new PageRow.Counts(in.u32(), in.u32(), in.u32(), in.u32());
      check(counts, segments, seen);
      moved += counts.moved();
      guests += counts.guests();
      int form = in.u8();
      if (form == 0) {
        restoreHere(counts, in, segments, pages);
      } else if (form == 1) {
        restoreStored(counts, in, segments, pages);
      } else {
        throw new FormatException("expected a row of form 0 or 1, found " + form);
      }
    }
    if (moved != guests) {
      throw new FormatException(
          "expected as many guests as moved blocks, found %d and %d".formatted(guests, moved));
    }
  }

  private static void check(PageRow.Counts counts, Segments segments, Set<Integer> seen) {
    Segment segment = segments.find(counts.segment());
    int blocks = segments.blocksPerZone();
    if (segment == null
        || segment.kind() != Segment.Kind.LOG
        || !seen.add(counts.segment())
        || counts.live() < 0
        || counts.live() > blocks
        || counts.moved() < 0
        || counts.moved() > counts.live()
        || counts.guests() < 0
        || counts.guests() > blocks
        || (segment.zone() < 0 && (counts.guests() > 0 || counts.moved() < counts.live()))) {
      throw new FormatException("expected a row for a segment of the log, found " + counts);
    }
  }

  private static void restoreHere(
      PageRow.Counts counts, ByteSource in, Segments segments, Pages pages) {
    PageImage image = PageImage.decode(counts.segment(), in, segments.blocksPerZone());
    long end = (long) segments.zones() * segments.blocksPerZone();
    for (long place : image.places()) {
      if (place < 0 || place >= end) {
        throw new FormatException("expected a place below %d, found %d".formatted(end, place));
      }
    }
    int live = 0;
    for (long word : image.alive()) {
      live += Long.bitCount(word);
    }
    if (live != counts.live() || image.places().length != counts.moved()) {
      throw new FormatException(
          "expected %s, found %d that live and %d that were moved"
              .formatted(counts, live, image.places().length));
    }
    pages.restore(counts, PageContent.of(image, null));
  }

  private static void restoreStored(
      PageRow.Counts counts, ByteSource in, Segments segments, Pages pages) {
    StoredPage at = new StoredPage(in.u64(), in.u32());
    int[] hosts = new int[2 * in.count(8)];
    for (int i = 0; i < hosts.length; i += 2) {
      hosts[i] = in.u32();
      hosts[i + 1] = in.u32();
      if (hosts[i] < 0
          || hosts[i] >= segments.blocksPerZone()
          || (i > 0 && hosts[i] <= hosts[i - 2])
          || hosts[i + 1] < ZoneExtents.AT_HOME
          || hosts[i + 1] >= segments.zones()) {
        throw new FormatException(
            "expected steps of segment %d, found block %d in zone %d"
                .formatted(counts.segment(), hosts[i], hosts[i + 1]));
      }
    }
    long[] changes = BlockBits.decode(in);
    long address = at.address();
    Segment holder =
        BlockAddress.isValid(address) ? segments.find(BlockAddress.segment(address)) : null;
    if (64 * changes.length != segments.blocksPerZone()
        || holder == null
        || holder.kind() != Segment.Kind.META
        || BlockAddress.block(address) + BlockAddress.blocks(address) > segments.blocksPerZone()) {
      throw new FormatException(
          "expected a page of segment %d, found address 0x%x".formatted(counts.segment(), address));
    }
    pages.restore(counts, at, hosts, changes);
  }
}
