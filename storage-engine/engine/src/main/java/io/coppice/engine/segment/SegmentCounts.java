package io.coppice.engine.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How many placements beyond the first the blocks of one segment have. As long as neighbours have
/// the same number, which is so after a copy of all that was written together, many of them take
/// four bytes; else each does. Committer only.
final class SegmentCounts {

  /// Blocks that are kept together.
  static final int CHUNK = 256;

  private int[] same = {}; // of all blocks of a chunk that is not mixed
  private int[] @Nullable [] mixed = {}; // of each block of a chunk, or null
  private int counted;

  /// Blocks with more than one placement.
  int counted() {
    return counted;
  }

  /// Chunks of which each block takes memory of its own.
  int mixed() {
    int chunks = 0;
    for (int[] each : mixed) {
      chunks += each == null ? 0 : 1;
    }
    return chunks;
  }

  /// Blocks from which on there is none with more than one.
  int end() {
    return same.length * CHUNK;
  }

  /// The first block behind `block` that has another number than it, or the end.
  ///
  /// @param block below the end
  int runEnd(int block) {
    int count = of(block);
    int next = block;
    while (next < end() && of(next) == count) {
      int chunk = next / CHUNK;
      next = mixed[chunk] == null ? (chunk + 1) * CHUNK : next + 1;
    }
    return next;
  }

  int of(int block) {
    int chunk = block / CHUNK;
    if (chunk >= same.length) {
      return 0;
    }
    int[] each = mixed[chunk];
    return each == null ? same[chunk] : each[block % CHUNK];
  }

  /// @throws IllegalArgumentException if there would be less than none
  /// @throws ArithmeticException if there would be more than [Integer#MAX_VALUE] in all
  void add(int block, int more) {
    int before = of(block);
    int after = Math.addExact(1 + before, more) - 1;
    if (after < 0) {
      throw new IllegalArgumentException(
          "expected at least %d placements of block %d, found %d".formatted(-more, block, before));
    }
    counted += Integer.signum(after) - Integer.signum(before);
    set(block, after);
  }

  private void set(int block, int count) {
    int chunk = block / CHUNK;
    if (chunk >= same.length) {
      same = Arrays.copyOf(same, chunk + 1);
      mixed = Arrays.copyOf(mixed, chunk + 1);
    }
    int[] each = mixed[chunk];
    if (each == null) {
      if (same[chunk] == count) {
        return;
      }
      each = new int[CHUNK];
      Arrays.fill(each, same[chunk]);
      mixed[chunk] = each;
    }
    each[block % CHUNK] = count;
    if (each[0] == count && each[CHUNK - 1] == count && isSame(each)) {
      same[chunk] = count;
      mixed[chunk] = null;
    }
  }

  private static boolean isSame(int[] each) {
    for (int count : each) {
      if (count != each[0]) {
        return false;
      }
    }
    return true;
  }
}
