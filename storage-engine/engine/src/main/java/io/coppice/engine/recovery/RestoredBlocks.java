package io.coppice.engine.recovery;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.BlockTables;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.LiveRow;
import io.coppice.engine.format.table.MovedRow;
import io.coppice.engine.format.table.PageRow;
import io.coppice.engine.format.table.SpaceTable;
import io.coppice.engine.segment.MovedBlocks;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredPage;
import io.coppice.engine.segment.ZoneExtents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The blocks of a checkpoint's tables, put back row by row: where they lie, and which of them
/// live. Segments must have been restored. A row that cannot be ends the reading with a
/// [FormatException].
final class RestoredBlocks implements BlockTables.Receiver {

  private final Segments segments;
  private final Pages pages;
  private final Set<Integer> seen = new HashSet<>();
  private long moved;
  private long guests;
  private @Nullable SpaceTable space;
  private @Nullable AccountTable accounts;
  private final List<JournalRow> journals = new ArrayList<>();

  RestoredBlocks(Segments segments, Pages pages) {
    this.segments = segments;
    this.pages = pages;
  }

  /// The numbers of nodes and blocks, absent without paged maps.
  @Nullable SpaceTable space() {
    return space;
  }

  /// The journals of volumes.
  List<JournalRow> journals() {
    return journals;
  }

  @Override
  public void journal(JournalRow row) {
    journals.add(row);
  }

  /// The accounts, absent without their feature.
  @Nullable AccountTable accounts() {
    return accounts;
  }

  @Override
  public void moved(MovedRow row) {
    MovedBlocks.restore(row, segments);
  }

  @Override
  public void space(SpaceTable table) {
    if (table.leaves() < 0 || table.inners() < 0) {
      throw new FormatException(
          "expected numbers of nodes, found %d and %d".formatted(table.leaves(), table.inners()));
    }
    for (SpaceTable.VersionSpace row : table.versions()) {
      if (row.mapped() < 0 || row.owned() < 0 || row.shared() < 0) {
        throw new FormatException("expected numbers of a version's blocks, found " + row);
      }
    }
    space = table;
  }

  @Override
  public void live(LiveRow row) {
    segments.restoreAlive(row.segment(), row.blocks());
  }

  @Override
  public void page(PageRow row) {
    PageRow.Counts counts = row.counts();
    check(counts);
    moved += counts.moved();
    guests += counts.guests();
    switch (row) {
      case PageRow.Here(var _, var content) -> {
        check(counts, content);
        pages.restore(counts, PageContent.of(content, null));
      }
      case PageRow.Stored stored -> {
        check(stored);
        pages.restore(counts, StoredPage.of(stored.page()), stored.steps(), stored.changes());
      }
    }
  }

  @Override
  public void accounts(AccountTable table) {
    accounts = table;
  }

  /// Checks the sums of all rows.
  void finish() {
    if (moved != guests) {
      throw new FormatException(
          "expected as many guests as moved blocks, found %d and %d".formatted(guests, moved));
    }
  }

  private void check(PageRow.Counts counts) {
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

  private void check(PageRow.Counts counts, PageImage content) {
    long end = (long) segments.zones() * segments.blocksPerZone();
    for (long place : content.places()) {
      if (place < 0 || place >= end) {
        throw new FormatException("expected a place below %d, found %d".formatted(end, place));
      }
    }
    int live = Arrays.stream(content.alive()).mapToInt(Long::bitCount).sum();
    if (live != counts.live() || content.places().length != counts.moved()) {
      throw new FormatException(
          "expected %s, found %d that live and %d that were moved"
              .formatted(counts, live, content.places().length));
    }
  }

  private void check(PageRow.Stored row) {
    int segment = row.counts().segment();
    int[] steps = row.steps();
    for (int i = 0; i < steps.length; i += 2) {
      if (steps[i] < 0
          || steps[i] >= segments.blocksPerZone()
          || (i > 0 && steps[i] <= steps[i - 2])
          || steps[i + 1] < ZoneExtents.AT_HOME
          || steps[i + 1] >= segments.zones()) {
        throw new FormatException(
            "expected steps of segment %d, found block %d in zone %d"
                .formatted(segment, steps[i], steps[i + 1]));
      }
    }
    long address = row.page().address();
    Segment holder =
        BlockAddress.isValid(address) ? segments.find(BlockAddress.segment(address)) : null;
    if (64 * row.changes().length != segments.blocksPerZone()
        || holder == null
        || holder.kind() != Segment.Kind.META
        || BlockAddress.block(address) + BlockAddress.blocks(address) > segments.blocksPerZone()) {
      throw new FormatException(
          "expected a page of segment %d, found address 0x%x".formatted(segment, address));
    }
  }
}
