package io.coppice.engine.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The places of up to 512 consecutive blocks; never changed.
///
/// The cleaner moves the live blocks of a zone in pieces, in their order. So moved blocks lie in
/// *runs*: each lies behind the moved block before it. A bit for each moved block and a first block
/// and place for each run take about a twentieth of one place per block. Without such order, with
/// more than 128 runs, each block has its place.
final class LocationGroup {

  static final LocationGroup EMPTY = new LocationGroup(new long[0], new char[0], new long[0]);

  private static final int WORDS = 8;
  private static final int MOST_RUNS = 128;

  // Bit i mod 64 of word i / 64: block i was moved. No words: each block has a place.
  private final long[] moved;
  private final char[] starts; // first blocks of runs, ascending
  private final long[] places; // of those, or of each block

  private LocationGroup(long[] moved, char[] starts, long[] places) {
    this.moved = moved;
    this.starts = starts;
    this.places = places;
  }

  long of(int block) {
    if (moved.length == 0) {
      return places.length == 0 ? RelocatedBlocks.HOME : places[block];
    }
    if ((moved[block >>> 6] >>> block & 1) == 0) {
      return RelocatedBlocks.HOME;
    }
    int found = Arrays.binarySearch(starts, (char) block);
    int run = found >= 0 ? found : -found - 2;
    return places[run] + countMoved(starts[run], block);
  }

  /// Moved blocks in [from, to).
  private int countMoved(int from, int to) {
    int first = from >>> 6;
    int last = to >>> 6;
    if (first == last) {
      return Long.bitCount(moved[first] & -1L << from & ~(-1L << to));
    }
    int count = Long.bitCount(moved[first] & -1L << from);
    for (int word = first + 1; word < last; word++) {
      count += Long.bitCount(moved[word]);
    }
    return count + Long.bitCount(moved[last] & ~(-1L << to));
  }

  /// A copy with another place for one block.
  LocationGroup with(int block, long place) {
    if (moved.length == 0 && places.length > 0) {
      long[] changed = places.clone();
      changed[block] = place;
      return new LocationGroup(moved, starts, changed);
    }
    if (starts.length >= MOST_RUNS) {
      long[] all = all();
      all[block] = place;
      return of(all);
    }
    int behind = next(block + 1);
    int before = previous(block);
    boolean joins = before >= 0 && of(before) + 1 == place;
    boolean isJoined = behind >= 0 && of(behind) == place + 1;
    char[] newStarts = new char[starts.length + 2];
    long[] newPlaces = new long[starts.length + 2];
    int n = 0;
    int i = 0;
    for (; i < starts.length && starts[i] < block; i++) {
      newStarts[n] = starts[i];
      newPlaces[n++] = places[i];
    }
    if (!joins) {
      newStarts[n] = (char) block;
      newPlaces[n++] = place;
    }
    if (behind >= 0 && !isJoined) {
      newStarts[n] = (char) behind;
      newPlaces[n++] = of(behind);
    }
    for (; i < starts.length; i++) {
      if (starts[i] != block && starts[i] != behind) {
        newStarts[n] = starts[i];
        newPlaces[n++] = places[i];
      }
    }
    long[] bits = moved.length == 0 ? new long[WORDS] : moved.clone();
    bits[block >>> 6] |= 1L << block;
    return new LocationGroup(bits, Arrays.copyOf(newStarts, n), Arrays.copyOf(newPlaces, n));
  }

  /// A copy without the blocks at places [from, to); null if nothing is left.
  @Nullable LocationGroup without(long from, long to) {
    long[] all = all();
    boolean any = false;
    boolean left = false;
    for (int block = 0; block < all.length; block++) {
      if (all[block] >= from && all[block] < to) {
        all[block] = RelocatedBlocks.HOME;
        any = true;
      }
      left |= all[block] != RelocatedBlocks.HOME;
    }
    return left ? any ? of(all) : this : null;
  }

  private long[] all() {
    long[] all = new long[64 * WORDS];
    for (int block = 0; block < all.length; block++) {
      all[block] = of(block);
    }
    return all;
  }

  private static LocationGroup of(long[] all) {
    long[] bits = new long[WORDS];
    char[] starts = new char[all.length];
    long[] places = new long[all.length];
    int runs = 0;
    long next = RelocatedBlocks.HOME;
    for (int block = 0; block < all.length; block++) {
      long place = all[block];
      if (place != RelocatedBlocks.HOME) {
        bits[block >>> 6] |= 1L << block;
        if (runs == 0 || place != next) {
          starts[runs] = (char) block;
          places[runs++] = place;
        }
        next = place + 1;
      }
    }
    return runs > MOST_RUNS
        ? new LocationGroup(new long[0], new char[0], all)
        : new LocationGroup(bits, Arrays.copyOf(starts, runs), Arrays.copyOf(places, runs));
  }

  /// The first moved block from this one on, or -1.
  private int next(int block) {
    for (int word = block >>> 6; word < moved.length; word++) {
      long bits = word == block >>> 6 ? moved[word] & -1L << block : moved[word];
      if (bits != 0) {
        return 64 * word + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }

  /// The last moved block before this one, or -1.
  private int previous(int block) {
    for (int word = Math.min(block >>> 6, moved.length - 1); word >= 0; word--) {
      long bits = word == block >>> 6 ? moved[word] & ~(-1L << block) : moved[word];
      if (bits != 0) {
        return 64 * word + 63 - Long.numberOfLeadingZeros(bits);
      }
    }
    return -1;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    return 24 + 3L * 16 + 8L * moved.length + 2L * starts.length + 8L * places.length;
  }
}
