package io.coppice.engine.format;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The numbers of placements beyond the first that the blocks of one segment have, as the table of
/// placements with the feature of packed counts stores them.
///
/// The blocks are taken in stretches of 256, from block 0 of the segment on. The number of
/// stretches (4) comes first, then for each stretch a form (1 byte) and the bytes of that form.
/// Blocks behind the last stretch have no placements beyond the first.
///
/// | Form | Meaning |
/// |---|---|
/// | 0 | all 256 have equally many; how many follows (8) |
/// | w = 1, 2, 4, 8, 16, 32 or 64 | w bits for each follow, in words of 8 bytes: block i of the stretch has those from bit i * w mod 64 of word i * w / 64 on |
/// | 127 + n, n = 1 to 128 | n stretches, each like the one before |
public final class PlacementBits {

  /// Blocks of a stretch. In memory a stretch is the words of its form. It is a single word if all
  /// blocks have the same number, and it is absent if that number is 0.
  public static final int STRETCH = 256;

  private static final int SAME = 0;
  private static final int REPEATED = 127;
  private static final int MOST_REPEATED = 128;
  private static final int MOST_STRETCHES = PoolLayout.MAX_ZONE_SIZE / PoolLayout.BLOCK / STRETCH;
  private static final int WORD_BITS = 64;
  private static final int WORDS_OF_ONE_BIT = STRETCH / WORD_BITS;

  // Shared by all that need them: one that all have is never changed in place.
  private static final long[][] SMALL = new long[64][];

  static {
    Arrays.setAll(SMALL, value -> new long[] {value});
  }

  private PlacementBits() {}

  /// The number of block `i` of a stretch.
  public static long get(long @Nullable [] stretch, int i) {
    if (stretch == null || stretch.length == 1) {
      return stretch == null ? 0 : stretch[0];
    }
    int width = widthOf(stretch);
    int at = i * width;
    return stretch[at / WORD_BITS] >>> at & mask(width);
  }

  /// The stretch with another number for block `i`: `stretch` itself, changed, where there is room
  /// for it, else another one.
  ///
  /// @param number not negative
  public static long @Nullable [] with(long @Nullable [] stretch, int i, long number) {
    if (get(stretch, i) == number) {
      return stretch;
    }
    int width = widthFor(number);
    long[] now =
        stretch == null || stretch.length == 1
            ? filled(stretch == null ? 0 : stretch[0], width)
            : widthOf(stretch) < width ? widened(stretch, width) : stretch;
    put(now, i, number);
    return isAll(now, number) ? same(number) : now;
  }

  /// A stretch of which all blocks have the same number.
  public static long @Nullable [] same(long number) {
    if (number == 0) {
      return null;
    }
    return number < SMALL.length ? SMALL[(int) number] : new long[] {number};
  }

  /// The same in as few bits as there can be; for one that may be changed, a copy of it.
  public static long @Nullable [] narrowed(long @Nullable [] stretch) {
    if (stretch == null || stretch.length == 1) {
      return stretch;
    }
    long any = 0;
    if (widthOf(stretch) > 1) {
      for (int i = 0; i < STRETCH; i++) {
        any |= get(stretch, i);
      }
    }
    int width = widthFor(any);
    return width == widthOf(stretch) || any == 0 ? stretch.clone() : widened(stretch, width);
  }

  private static int widthOf(long[] stretch) {
    return stretch.length / WORDS_OF_ONE_BIT;
  }

  private static int widthFor(long number) {
    int bits = Math.max(1, WORD_BITS - Long.numberOfLeadingZeros(number));
    return bits == 1 ? 1 : Integer.highestOneBit(bits - 1) << 1;
  }

  private static long mask(int width) {
    return -1L >>> WORD_BITS - width;
  }

  private static void put(long[] stretch, int i, long number) {
    int width = widthOf(stretch);
    int at = i * width;
    int word = at / WORD_BITS;
    stretch[word] = stretch[word] & ~(mask(width) << at) | number << at;
  }

  private static long[] filled(long number, int atLeast) {
    int width = Math.max(atLeast, widthFor(number));
    long[] stretch = new long[WORDS_OF_ONE_BIT * width];
    Arrays.fill(stretch, repeated(number, width));
    return stretch;
  }

  private static long[] widened(long[] stretch, int width) {
    long[] wide = new long[WORDS_OF_ONE_BIT * width];
    for (int i = 0; i < STRETCH; i++) {
      put(wide, i, get(stretch, i));
    }
    return wide;
  }

  private static long repeated(long number, int width) {
    return number * Long.divideUnsigned(-1, mask(width));
  }

  private static boolean isAll(long[] stretch, long number) {
    long word = repeated(number, widthOf(stretch));
    if (stretch[stretch.length - 1] != word) {
      return false;
    }
    for (long each : stretch) {
      if (each != word) {
        return false;
      }
    }
    return true;
  }

  /// Writes the stretches of a segment.
  public static void encode(ByteSink out, long[] @Nullable [] stretches) {
    out.u32(stretches.length);
    int next;
    for (int at = 0; at < stretches.length; at = next) {
      long[] stretch = narrowed(stretches[at]);
      next = at + 1;
      while (next < stretches.length
          && next - at <= MOST_REPEATED
          && Arrays.equals(stretch, narrowed(stretches[next]))) {
        next++;
      }
      if (stretch == null || stretch.length == 1) {
        out.u8(SAME).u64(stretch == null ? 0 : stretch[0]);
      } else {
        out.u8(widthOf(stretch));
        for (long word : stretch) {
          out.u64(word);
        }
      }
      if (next - at > 1) {
        out.u8(REPEATED + next - at - 1);
      }
    }
  }

  /// Reads the stretches of a segment.
  ///
  /// @throws FormatException if they are none, or more than a zone can have
  public static long[] @Nullable [] decode(ByteSource in) {
    int count = in.u32();
    if (count < 1 || count > MOST_STRETCHES) {
      throw new FormatException(
          "expected 1 to %d stretches of a segment, found %d".formatted(MOST_STRETCHES, count));
    }
    long[] @Nullable [] stretches = new long[count][];
    for (int at = 0; at < count; ) {
      int form = in.u8();
      if (form <= REPEATED) {
        stretches[at++] = stretch(form, in);
      } else {
        int repeated = form - REPEATED;
        if (at == 0 || repeated > count - at) {
          throw new FormatException(
              "expected at most %d stretches like the one before, found %d"
                  .formatted(at == 0 ? 0 : count - at, repeated));
        }
        for (int n = 0; n < repeated; n++, at++) {
          stretches[at] = narrowed(stretches[at - 1]);
        }
      }
    }
    return stretches;
  }

  private static long @Nullable [] stretch(int form, ByteSource in) {
    if (form > WORD_BITS || Integer.bitCount(form) > 1) {
      throw new FormatException("expected a stretch of form 0 to 64, found %d".formatted(form));
    }
    long[] stretch = new long[form == SAME ? 1 : WORDS_OF_ONE_BIT * form];
    for (int i = 0; i < stretch.length; i++) {
      stretch[i] = in.u64();
      if (stretch[i] < 0 && (form == SAME || form == WORD_BITS)) {
        throw new FormatException(
            "expected a number of placements, found %s"
                .formatted(Long.toUnsignedString(stretch[i])));
      }
    }
    return form == SAME ? same(stretch[0]) : stretch;
  }
}
