package io.coppice.engine.format;

import java.util.Arrays;

/// A set of blocks of one segment, and the places of blocks, as tables with the feature of short
/// books store them.
///
/// A set begins with the blocks of a zone (4) and a form (1). Form 0 is a bitmap of (blocks of a
/// zone / 8) bytes: bit i mod 8 of byte i / 8 says that block i is in the set. Form 1 lists the
/// blocks that are in the set, form 2 the blocks that are not: their number (4), then the blocks,
/// ascending, 2 bytes each.
///
/// The places of blocks stand in the order of the blocks, as *steps* of one byte or more:
///
/// | Byte | Meaning |
/// |---|---|
/// | 0 | one block; its place follows (8) |
/// | d = 1 to 127 | one block; its place is d more than that of the block before, of the first one d (in each row anew) |
/// | 127 + n, n = 1 to 128 | n blocks, each one place behind the block before |
public final class BlockBits {

  private static final int BITMAP = 0;
  private static final int THESE = 1;
  private static final int ALL_BUT_THESE = 2;
  private static final int FARTHEST = 127;
  private static final int MOST_BLOCKS = PoolLayout.MAX_ZONE_SIZE / PoolLayout.BLOCK;

  private BlockBits() {}

  /// Writes a set, in the form that is shortest.
  ///
  /// @param words bit i mod 64 of word i / 64: block i is in it
  public static void encode(ByteSink out, long[] words) {
    int blocks = 64 * words.length;
    int size = Arrays.stream(words).mapToInt(Long::bitCount).sum();
    int few = Math.min(size, blocks - size);
    out.u32(blocks);
    if (4 + 2 * few >= blocks / 8) {
      out.u8(BITMAP);
      for (long word : words) {
        out.u64(word);
      }
      return;
    }
    boolean these = size <= blocks - size;
    out.u8(these ? THESE : ALL_BUT_THESE).u32(few);
    for (int word = 0; word < words.length; word++) {
      for (long bits = these ? words[word] : ~words[word]; bits != 0; bits &= bits - 1) {
        int block = 64 * word + Long.numberOfTrailingZeros(bits);
        out.u8(block).u8(block >>> 8);
      }
    }
  }

  /// @return bit i mod 64 of word i / 64: block i is in it
  /// @throws FormatException if it is not a set
  public static long[] decode(ByteSource in) {
    int blocks = in.u32();
    int form = in.u8();
    if (blocks < 64 || blocks > MOST_BLOCKS || blocks % 64 != 0 || form > ALL_BUT_THESE) {
      throw new FormatException(
          "expected a set of blocks of a zone, found form %d of %d blocks".formatted(form, blocks));
    }
    long[] words = new long[blocks / 64];
    if (form == BITMAP) {
      for (int i = 0; i < words.length; i++) {
        words[i] = in.u64();
      }
      return words;
    }
    Arrays.fill(words, form == THESE ? 0 : -1);
    int before = -1;
    for (int n = in.count(2); n > 0; n--) {
      int block = in.u8() | in.u8() << 8;
      if (block <= before || block >= blocks) {
        throw new FormatException(
            "expected a block of %d after block %d, found %d".formatted(blocks, before, block));
      }
      words[block >>> 6] ^= 1L << block;
      before = block;
    }
    return words;
  }

  /// Reads a set as pools without the feature of short books store it: the bytes of a bitmap (4),
  /// and the bitmap.
  ///
  /// @return bit i mod 64 of word i / 64: block i is in it
  /// @throws FormatException if it does not fill whole words
  public static long[] decodeBitmap(ByteSource in) {
    int bytes = in.count(1);
    if (bytes % Long.BYTES != 0) {
      throw new FormatException(
          "expected a bitmap of whole words, found %d bytes".formatted(bytes));
    }
    long[] words = new long[bytes / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.u64();
    }
    return words;
  }

  /// Writes places.
  public static void encodePlaces(ByteSink out, long[] places) {
    long before = 0;
    int i = 0;
    while (i < places.length) {
      int run = 0;
      while (run < 128 && i + run < places.length && places[i + run] == before + run + 1) {
        run++;
      }
      long distance = places[i] - before;
      if (run > 1) {
        out.u8(FARTHEST + run);
      } else if (distance > 0 && distance <= FARTHEST) {
        out.u8((int) distance);
      } else {
        out.u8(0).u64(places[i]);
      }
      i += Math.max(1, run);
      before = places[i - 1];
    }
  }

  /// Reads so many places as pools without the feature of short books store them: a distance (1)
  /// each, and the place (8) where it is 0.
  public static long[] decodeDistances(ByteSource in, int count) {
    long[] places = new long[count];
    long place = 0;
    for (int i = 0; i < count; i++) {
      int distance = in.u8();
      place = distance == 0 ? in.u64() : place + distance;
      places[i] = place;
    }
    return places;
  }

  /// Reads so many places.
  ///
  /// @throws FormatException if there are not so many
  public static long[] decodePlaces(ByteSource in, int count) {
    long[] places = new long[count];
    long before = 0;
    int i = 0;
    while (i < count) {
      int step = in.u8();
      int run = Math.max(1, step - FARTHEST);
      if (run > count - i) {
        throw new FormatException(
            "expected %d more places, found a run of %d".formatted(count - i, run));
      }
      for (int n = 0; n < run; n++) {
        before = step == 0 ? in.u64() : before + (step > FARTHEST ? 1 : step);
        places[i++] = before;
      }
    }
    return places;
  }
}
