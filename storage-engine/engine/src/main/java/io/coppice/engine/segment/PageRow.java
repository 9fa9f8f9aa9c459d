package io.coppice.engine.segment;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;

/// A checkpoint's row about a segment of the log, as of its cut.
public sealed interface PageRow {

  /// The counts of a segment.
  ///
  /// @param live blocks that live
  /// @param moved how many of those were moved
  /// @param guests living blocks of other segments in its zone
  record Counts(int segment, int live, int moved, int guests) {

    void encode(ByteSink out) {
      out.u32(segment).u32(live).u32(moved).u32(guests);
    }
  }

  Counts counts();

  /// A row whose content is so short that it stays in memory and in the tables.
  record Here(Counts counts, PageContent content) implements PageRow {}

  /// A row whose page is to be stored.
  ///
  /// @param sealed whether the segment is
  record Fresh(Counts counts, boolean sealed, PageContent content) implements PageRow {}

  /// A row whose page was stored, with the blocks that came to life or died since.
  record Kept(Counts counts, StoredPage at, int[] hosts, BlockSet changes) implements PageRow {

    /// Writes the row.
    public void encode(ByteSink out) {
      PageRow.encode(counts, at, hosts, changes.words(), out);
    }
  }

  /// Writes a row with its content.
  static void encode(Counts counts, byte[] content, ByteSink out) {
    counts.encode(out);
    out.u8(0);
    out.bytes(content);
  }

  /// Writes a row with a page.
  private static void encode(
      Counts counts, StoredPage at, int[] hosts, long[] changes, ByteSink out) {
    counts.encode(out);
    out.u8(1).u64(at.address()).u32(at.crc()).u32(hosts.length / 2);
    for (int value : hosts) {
      out.u32(value);
    }
    BlockBits.encode(out, changes);
  }

  /// Writes a row with a page that has just been stored.
  static void encode(Counts counts, StoredPage at, int[] hosts, int blocks, ByteSink out) {
    encode(counts, at, hosts, new long[blocks / 64], out);
  }
}
