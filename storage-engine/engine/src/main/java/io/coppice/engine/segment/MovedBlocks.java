package io.coppice.engine.segment;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;

/// The living blocks of one segment that have been moved, as of the cut of a checkpoint: a row of
/// the last table of [io.coppice.engine.format.Chunk].
public final class MovedBlocks {

  private final int segment;
  private final BlockSet alive;
  private final Places places;

  MovedBlocks(int segment, BlockSet alive, Places places) {
    this.segment = segment;
    this.alive = alive;
    this.places = places;
  }

  int segment() {
    return segment;
  }

  public void encode(ByteSink out) {
    out.u32(segment).u32(alive.blocks() / 8);
    long[] words = alive.words();
    for (int word = 0; word < words.length; word++) {
      for (long left = words[word]; left != 0; left &= left - 1) {
        if (places.of(64 * word + Long.numberOfTrailingZeros(left)) == Places.HOME) {
          words[word] &= ~Long.lowestOneBit(left);
        }
      }
      out.u64(words[word]);
    }
    long before = 0;
    for (int word = 0; word < words.length; word++) {
      for (long left = words[word]; left != 0; left &= left - 1) {
        long place = places.of(64 * word + Long.numberOfTrailingZeros(left));
        long distance = place - before;
        if (distance > 0 && distance < 256) {
          out.u8((int) distance);
        } else {
          out.u8(0).u64(place);
        }
        before = place;
      }
    }
  }

  /// Reads a row and notes its places.
  ///
  /// @throws FormatException if it is not one
  public static void restore(ByteSource in, Segments into) {
    int segment = in.u32();
    int words = in.count(1) / 8;
    if (words * 64 != into.blocksPerZone()) {
      throw new FormatException(
          "expected a bitmap of %d blocks for segment %d, found %d"
              .formatted(into.blocksPerZone(), segment, words * 64));
    }
    long[] bits = new long[words];
    for (int i = 0; i < words; i++) {
      bits[i] = in.u64();
    }
    long place = 0;
    for (int block = 0; block < 64 * words; block++) {
      if ((bits[block >>> 6] >>> block & 1) != 0) {
        int distance = in.u8();
        place = distance == 0 ? in.u64() : place + distance;
        into.restorePlace(segment, block, place);
      }
    }
  }
}
