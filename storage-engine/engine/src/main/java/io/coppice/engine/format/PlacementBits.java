package io.coppice.engine.format;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The numbers of placements beyond the first that the blocks of one segment have, as the table of
/// placements with the feature of packed counts stores them.
///
/// The blocks are taken in groups of 256, from block 0 of the segment on. The number of groups (4)
/// comes first, then for each group a form (1 byte) and the bytes of that form. Blocks behind the
/// last group have no placements beyond the first.
///
/// | Form | Meaning |
/// |---|---|
/// | 0 | all 256 have equally many; how many follows (8) |
/// | w = 1, 2, 4, 8, 16, 32 or 64 | w bits for each follow, in words of 8 bytes: block i of the group has those from bit i * w mod 64 of word i * w / 64 on |
/// | 127 + n, n = 1 to 128 | n groups, each like the one before |
public final class PlacementBits {

  /// Blocks of a group. In memory a group is the words of its form. It is a single word if all
  /// blocks have the same number, and it is absent if that number is 0.
  public static final int GROUP = 256;

  private static final int SAME = 0;
  private static final int REPEATED = 127;
  private static final int MOST_REPEATED = 128;
  private static final int MOST_GROUPS = PoolLayout.MAX_ZONE_SIZE / PoolLayout.BLOCK / GROUP;
  private static final int WORD_BITS = 64;
  private static final int WORDS_OF_ONE_BIT = GROUP / WORD_BITS;

  // Shared by all that need them: one that all have is never changed in place.
  private static final long[][] SMALL = new long[64][];

  static {
    Arrays.setAll(SMALL, value -> new long[] {value});
  }

  private PlacementBits() {}

  /// The number of block `i` of a group.
  public static long get(long @Nullable [] group, int i) {
    if (group == null || group.length == 1) {
      return group == null ? 0 : group[0];
    }
    int width = widthOf(group);
    int at = i * width;
    return group[at / WORD_BITS] >>> at & mask(width);
  }

  /// The group with another number for block `i`: `group` itself, changed, where there is room for
  /// it, else another one.
  ///
  /// @param number not negative
  public static long @Nullable [] with(long @Nullable [] group, int i, long number) {
    if (get(group, i) == number) {
      return group;
    }
    int width = widthFor(number);
    long[] now =
        group == null || group.length == 1
            ? filled(group == null ? 0 : group[0], width)
            : widthOf(group) < width ? widened(group, width) : group;
    put(now, i, number);
    return isAll(now, number) ? same(number) : now;
  }

  /// A group of which all blocks have the same number.
  public static long @Nullable [] same(long number) {
    if (number == 0) {
      return null;
    }
    return number < SMALL.length ? SMALL[(int) number] : new long[] {number};
  }

  /// The same in as few bits as there can be; for one that may be changed, a copy of it.
  public static long @Nullable [] narrowed(long @Nullable [] group) {
    if (group == null || group.length == 1) {
      return group;
    }
    long any = 0;
    if (widthOf(group) > 1) {
      for (int i = 0; i < GROUP; i++) {
        any |= get(group, i);
      }
    }
    int width = widthFor(any);
    return width == widthOf(group) || any == 0 ? group.clone() : widened(group, width);
  }

  private static int widthOf(long[] group) {
    return group.length / WORDS_OF_ONE_BIT;
  }

  private static int widthFor(long number) {
    int bits = Math.max(1, WORD_BITS - Long.numberOfLeadingZeros(number));
    return bits == 1 ? 1 : Integer.highestOneBit(bits - 1) << 1;
  }

  private static long mask(int width) {
    return -1L >>> WORD_BITS - width;
  }

  private static void put(long[] group, int i, long number) {
    int width = widthOf(group);
    int at = i * width;
    int word = at / WORD_BITS;
    group[word] = group[word] & ~(mask(width) << at) | number << at;
  }

  private static long[] filled(long number, int atLeast) {
    int width = Math.max(atLeast, widthFor(number));
    long[] group = new long[WORDS_OF_ONE_BIT * width];
    Arrays.fill(group, repeated(number, width));
    return group;
  }

  private static long[] widened(long[] group, int width) {
    long[] wide = new long[WORDS_OF_ONE_BIT * width];
    for (int i = 0; i < GROUP; i++) {
      put(wide, i, get(group, i));
    }
    return wide;
  }

  private static long repeated(long number, int width) {
    return number * Long.divideUnsigned(-1, mask(width));
  }

  private static boolean isAll(long[] group, long number) {
    long word = repeated(number, widthOf(group));
    if (group[group.length - 1] != word) {
      return false;
    }
    for (long each : group) {
      if (each != word) {
        return false;
      }
    }
    return true;
  }

  /// Writes the groups of a segment.
  public static void encode(ByteSink out, long[] @Nullable [] groups) {
    out.u32(groups.length);
    int next;
    for (int at = 0; at < groups.length; at = next) {
      long[] group = narrowed(groups[at]);
      next = at + 1;
      while (next < groups.length
          && next - at <= MOST_REPEATED
          && Arrays.equals(group, narrowed(groups[next]))) {
        next++;
      }
      if (group == null || group.length == 1) {
        out.u8(SAME).u64(group == null ? 0 : group[0]);
      } else {
        out.u8(widthOf(group));
        for (long word : group) {
          out.u64(word);
        }
      }
      if (next - at > 1) {
        out.u8(REPEATED + next - at - 1);
      }
    }
  }

  /// Reads the groups of a segment.
  ///
  /// @throws FormatException if they are none, or more than a zone can have
  public static long[] @Nullable [] decode(ByteSource in) {
    int count = in.u32();
    if (count < 1 || count > MOST_GROUPS) {
      throw new FormatException(
          "expected 1 to %d groups of a segment, found %d".formatted(MOST_GROUPS, count));
    }
    long[] @Nullable [] groups = new long[count][];
    for (int at = 0; at < count; ) {
      int form = in.u8();
      if (form <= REPEATED) {
        groups[at++] = group(form, in);
      } else {
        int repeated = form - REPEATED;
        if (at == 0 || repeated > count - at) {
          throw new FormatException(
              "expected at most %d groups like the one before, found %d"
                  .formatted(at == 0 ? 0 : count - at, repeated));
        }
        for (int n = 0; n < repeated; n++, at++) {
          groups[at] = narrowed(groups[at - 1]);
        }
      }
    }
    return groups;
  }

  private static long @Nullable [] group(int form, ByteSource in) {
    if (form > WORD_BITS || Integer.bitCount(form) > 1) {
      throw new FormatException("expected a group of form 0 to 64, found %d".formatted(form));
    }
    long[] group = new long[form == SAME ? 1 : WORDS_OF_ONE_BIT * form];
    for (int i = 0; i < group.length; i++) {
      group[i] = in.u64();
      if (group[i] < 0 && (form == SAME || form == WORD_BITS)) {
        throw new FormatException(
            "expected a number of placements, found %s".formatted(Long.toUnsignedString(group[i])));
      }
    }
    return form == SAME ? same(group[0]) : group;
  }
}
