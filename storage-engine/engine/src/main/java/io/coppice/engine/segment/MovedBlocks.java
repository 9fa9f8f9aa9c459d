package io.coppice.engine.segment;

import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.table.MovedRow;
import java.util.Arrays;

/// The living blocks of one segment that have been moved, as of the cut of a checkpoint. A
/// checkpoint makes a [MovedRow] of them.
public final class MovedBlocks {

  private final int segment;
  private final BlockSet alive;
  private final RelocatedBlocks places;

  MovedBlocks(int segment, BlockSet alive, RelocatedBlocks places) {
    this.segment = segment;
    this.alive = alive;
    this.places = places;
  }

  int segment() {
    return segment;
  }

  /// The row of the tables: dead blocks have no place.
  public MovedRow row() {
    long[] words = alive.words();
    long[] found = new long[alive.blocks()];
    int n = 0;
    for (int word = 0; word < words.length; word++) {
      for (long left = words[word]; left != 0; left &= left - 1) {
        long place = places.of(64 * word + Long.numberOfTrailingZeros(left));
        if (place == RelocatedBlocks.HOME) {
          words[word] &= ~Long.lowestOneBit(left);
        } else {
          found[n++] = place;
        }
      }
    }
    return new MovedRow(segment, words, Arrays.copyOf(found, n));
  }

  /// Notes the places that a row of the tables has.
  ///
  /// @throws FormatException if it is of another number of blocks than a zone has
  public static void restore(MovedRow row, Segments into) {
    int blocks = 64 * row.blocks().length;
    if (blocks != into.blocksPerZone()) {
      throw new FormatException(
          "expected a bitmap of %d blocks for segment %d, found %d"
              .formatted(into.blocksPerZone(), row.segment(), blocks));
    }
    row.forEach((block, place) -> into.restorePlace(row.segment(), block, place));
  }
}
