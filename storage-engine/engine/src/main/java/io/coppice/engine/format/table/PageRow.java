package io.coppice.engine.format.table;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.PageImage;

/// A segment of the log: what lives in it, or the page that says so.
public sealed interface PageRow {

  /// Least bytes of a row.
  int LEAST = 17;

  Counts counts();

  /// The counts of a segment.
  ///
  /// @param live blocks that live
  /// @param moved how many of those were moved
  /// @param guests living blocks of other segments in its zone
  record Counts(int segment, int live, int moved, int guests) {

    private void encode(ByteSink out) {
      out.u32(segment).u32(live).u32(moved).u32(guests);
    }

    private static Counts decode(ByteSource in) {
      return new Counts(in.u32(), in.u32(), in.u32(), in.u32());
    }
  }

  /// A row with its content.
  record Here(Counts counts, PageImage content) implements PageRow {}

  /// A row whose content is in a page.
  ///
  /// @param steps first blocks and zones in turn, ascending: the zone in which the moved blocks
  ///   from there on lie, -1 if none was moved
  /// @param changes bit i mod 64 of word i / 64: block i came to life or died since the page
  record Stored(Counts counts, NodeAddress page, int[] steps, long[] changes) implements PageRow {}

  /// Writes the row.
  default void encode(ByteSink out) {
    counts().encode(out);
    switch (this) {
      case Here(var _, var content) -> {
        // As one run of bytes: chunks are cut where they always were.
        ByteSink bytes = new ByteSink(64);
        content.encode(bytes);
        out.u8(0).bytes(bytes.toBytes());
      }
      case Stored(var _, var page, var steps, var changes) -> {
        page.encode(out.u8(1));
        out.u32(steps.length / 2);
        for (int value : steps) {
          out.u32(value);
        }
        BlockBits.encode(out, changes);
      }
    }
  }

  /// Reads a row.
  ///
  /// @param blocks of a zone
  /// @throws FormatException if it is not one
  static PageRow decode(ByteSource in, int blocks) {
    Counts counts = Counts.decode(in);
    int form = in.u8();
    return switch (form) {
      case 0 -> new Here(counts, PageImage.decode(counts.segment, in, blocks));
      case 1 -> new Stored(counts, NodeAddress.decode(in), steps(in), BlockBits.decode(in));
      default -> throw new FormatException("expected a row of form 0 or 1, found " + form);
    };
  }

  private static int[] steps(ByteSource in) {
    int[] steps = new int[2 * in.count(8)];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = in.u32();
    }
    return steps;
  }
}
