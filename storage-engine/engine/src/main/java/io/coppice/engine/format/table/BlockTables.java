package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import java.util.List;

/// The last tables of a checkpoint, behind the [StateTables]: where blocks lie, which of them live,
/// and how much of them each version holds. A great pool has more rows than fit into memory at
/// once: they are written and read one by one.
///
/// @param moved rows of segments of nodes and tables with moved blocks
/// @param live rows of segments of nodes and tables in which something lives
/// @param pages rows of segments of the log
/// @param journals rows of volumes with a journal; stored with the feature of journals only
public record BlockTables(
    Rows<MovedRow> moved,
    SpaceTable space,
    Rows<LiveRow> live,
    Rows<PageRow> pages,
    AccountTable accounts,
    List<JournalRow> journals) {

  /// The receiver of the tables that are read, in their order. Tables of features that the pool
  /// does not have do not come.
  public interface Receiver {

    void moved(MovedRow row);

    void space(SpaceTable table);

    void live(LiveRow row);

    void page(PageRow row);

    void accounts(AccountTable table);

    void journal(JournalRow row);
  }

  /// Writes the tables.
  ///
  /// @param features which of the last ones there are
  public void encode(ByteSink out, Superblock.Features features) {
    moved.encode(out, MovedRow::encode);
    space.encode(out);
    live.encode(out, LiveRow::encode);
    pages.encode(out, PageRow::encode);
    accounts.encode(out);
    if (features.hasJournals()) {
      out.list(journals, JournalRow::encode);
    }
  }

  /// Reads what [#encode] wrote, and shows it to `receiver`.
  ///
  /// @param versions rows of the table of versions
  /// @param blocks of a zone
  /// @throws FormatException if the bytes are not the tables of a pool with these features, or more
  ///   follows
  public static void decode(
      ByteSource in, Superblock.Features features, int versions, int blocks, Receiver receiver) {
    boolean isShort = features.hasShortBooks();
    if (features.hasRelocation()) {
      for (int n = in.count(MovedRow.LEAST); n > 0; n--) {
        receiver.moved(MovedRow.decode(in, isShort));
      }
    }
    if (features.hasPagedMaps()) {
      receiver.space(SpaceTable.decode(in, versions));
      for (int n = in.count(LiveRow.LEAST); n > 0; n--) {
        receiver.live(LiveRow.decode(in, isShort));
      }
    }
    if (features.hasPagedBooks()) {
      for (int n = in.count(PageRow.LEAST); n > 0; n--) {
        receiver.page(PageRow.decode(in, blocks));
      }
    }
    if (features.hasAccounts()) {
      receiver.accounts(AccountTable.decode(in));
    }
    if (features.hasJournals()) {
      for (int n = in.count(JournalRow.LEAST); n > 0; n--) {
        receiver.journal(JournalRow.decode(in));
      }
    }
    if (!in.isEmpty()) {
      throw new FormatException("expected the end of the checkpoint's tables, found more");
    }
  }
}
