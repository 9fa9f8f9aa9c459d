package io.coppice.engine.check;

import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.BlockTables;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.LiveRow;
import io.coppice.engine.format.table.MovedRow;
import io.coppice.engine.format.table.PageRow;
import io.coppice.engine.format.table.SpaceTable;
import io.coppice.engine.format.table.StateTables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tables of a checkpoint, all at once.
///
/// @param placements with packed counts: placements beyond the first by segment
/// @param space absent without paged maps
/// @param alive living blocks by segment
/// @param pages with changes as short as they can be
/// @param accounts absent without their feature
/// @param journals of volumes
record Tables(
    StateTables state,
    Map<Integer, long[] @Nullable []> placements,
    List<MovedRow> moved,
    @Nullable SpaceTable space,
    Map<Integer, BitSet> alive,
    List<PageRow> pages,
    @Nullable AccountTable accounts,
    List<JournalRow> journals) {

  /// @param features which of the last tables there are
  /// @param blocks of a zone
  /// @throws FormatException if the bytes are not the tables of a checkpoint
  static Tables decode(ByteSource in, Superblock.Features features, int blocks) {
    StateTables state = StateTables.decode(in, features);
    Map<Integer, long[] @Nullable []> placements = new TreeMap<>();
    state
        .placements()
        .rows()
        .source()
        .accept(row -> requireFirst(placements.put(row.segment(), row.groups()), row.segment()));
    Collector rest = new Collector();
    BlockTables.decode(in, features, state.versions().size(), blocks, rest);
    return new Tables(
        state,
        placements,
        rest.moved,
        rest.space,
        rest.alive,
        rest.pages,
        rest.accounts,
        rest.journals);
  }

  private static void requireFirst(@Nullable Object before, int segment) {
    if (before != null) {
      throw new FormatException("expected segment %d once, found it twice".formatted(segment));
    }
  }

  /// The last tables, as they are read.
  private static final class Collector implements BlockTables.Receiver {

    private final List<MovedRow> moved = new ArrayList<>();
    private @Nullable SpaceTable space;
    private final Map<Integer, BitSet> alive = new HashMap<>();
    private final List<PageRow> pages = new ArrayList<>();
    private @Nullable AccountTable accounts;
    private final List<JournalRow> journals = new ArrayList<>();

    @Override
    public void moved(MovedRow row) {
      moved.add(row);
    }

    @Override
    public void space(SpaceTable table) {
      space = table;
    }

    @Override
    public void live(LiveRow row) {
      requireFirst(alive.put(row.segment(), BitSet.valueOf(row.blocks())), row.segment());
    }

    /// Most pages have few changes, and there may be a million pages: zeros at the end are cut off.
    @Override
    public void page(PageRow row) {
      pages.add(
          row instanceof PageRow.Stored(var counts, var page, var steps, var changes)
              ? new PageRow.Stored(counts, page, steps, BitSet.valueOf(changes).toLongArray())
              : row);
    }

    @Override
    public void journal(JournalRow row) {
      journals.add(row);
    }

    @Override
    public void accounts(AccountTable table) {
      accounts = table;
    }
  }
}
