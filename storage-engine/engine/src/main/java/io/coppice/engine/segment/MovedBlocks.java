package io.coppice.engine.segment;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.util.Arrays;

/// The living blocks of one segment that have been moved, as of the cut of a checkpoint. They are a
/// row of the last table of [io.coppice.engine.format.Chunk].
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

  public void encode(ByteSink out) {
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
    BlockBits.encode(out.u32(segment), words);
    BlockBits.encodePlaces(out, Arrays.copyOf(found, n));
  }

  /// Reads a row and notes its places.
  ///
  /// @param isShort whether it is in short form
  /// @throws FormatException if it is not one
  public static void restore(ByteSource in, boolean isShort, Segments into) {
    int segment = in.u32();
    long[] words = isShort ? BlockBits.decode(in) : bitmap(in);
    if (words.length * 64 != into.blocksPerZone()) {
      throw new FormatException(
          "expected a bitmap of %d blocks for segment %d, found %d"
              .formatted(into.blocksPerZone(), segment, words.length * 64));
    }
    int count = Arrays.stream(words).mapToInt(Long::bitCount).sum();
    long[] places = isShort ? BlockBits.decodePlaces(in, count) : places(in, count);
    int n = 0;
    for (int word = 0; word < words.length; word++) {
      for (long left = words[word]; left != 0; left &= left - 1) {
        into.restorePlace(segment, 64 * word + Long.numberOfTrailingZeros(left), places[n++]);
      }
    }
  }

  private static long[] bitmap(ByteSource in) {
    long[] words = new long[in.count(1) / 8];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.u64();
    }
    return words;
  }

  private static long[] places(ByteSource in, int count) {
    long[] places = new long[count];
    long place = 0;
    for (int i = 0; i < count; i++) {
      int distance = in.u8();
      place = distance == 0 ? in.u64() : place + distance;
      places[i] = place;
    }
    return places;
  }
}
