package io.coppice.engine.segment;

import java.util.Arrays;
import java.util.BitSet;

/// A set of blocks of a segment. In compact form only exceptions are kept, two bytes each: of a
/// segment just written the blocks not in the set, of a nearly dead one the blocks in it. With more
/// exceptions than one block in 32, the set takes a bit for each block instead.
///
/// A frozen set is never changed again.
final class BlockSet {

  private static final int BLOCKS_PER_EXCEPTION = 32;

  private final int blocks;
  private long[] words; // none: compact
  private char[] exceptions; // ascending
  private int count; // of exceptions
  private boolean mostly; // what is no exception is in the set
  private boolean frozen;

  /// An empty set.
  ///
  /// @param blocks of the segment, a multiple of 64
  BlockSet(int blocks) {
    this(blocks, new long[blocks / 64], new char[0], 0, false);
  }

  private BlockSet(int blocks, long[] words, char[] exceptions, int count, boolean mostly) {
    this.blocks = blocks;
    this.words = words;
    this.exceptions = exceptions;
    this.count = count;
    this.mostly = mostly;
  }

  /// An empty, compact set.
  static BlockSet none(int blocks) {
    return new BlockSet(blocks, new long[0], new char[0], 0, false);
  }

  /// A set in the most compact form.
  ///
  /// @param words bit i mod 64 of word i / 64: block i is in it
  static BlockSet of(long[] words) {
    BlockSet set = new BlockSet(64 * words.length, words.clone(), new char[0], 0, false);
    set.compact(set.size());
    return set;
  }

  int blocks() {
    return blocks;
  }

  /// How many are in it.
  int size() {
    if (words.length > 0) {
      return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }
    return mostly ? blocks - count : count;
  }

  boolean contains(int block) {
    return words.length > 0
        ? (words[block >>> 6] >>> block & 1) != 0
        : mostly != Arrays.binarySearch(exceptions, 0, count, (char) block) >= 0;
  }

  /// Adds a block that is not in it, or takes away one that is.
  void flip(int block) {
    if (words.length > 0) {
      words[block >>> 6] ^= 1L << block;
      return;
    }
    int found = Arrays.binarySearch(exceptions, 0, count, (char) block);
    if (found >= 0) {
      System.arraycopy(exceptions, found + 1, exceptions, found, count - found - 1);
      count--;
      return;
    }
    if (count == blocks / BLOCKS_PER_EXCEPTION) {
      words = words();
      exceptions = new char[0];
      count = 0;
      words[block >>> 6] ^= 1L << block;
      return;
    }
    if (count == exceptions.length) {
      exceptions = Arrays.copyOf(exceptions, count + Math.max(4, count / 2));
    }
    int at = -found - 1;
    System.arraycopy(exceptions, at, exceptions, at + 1, count - at);
    exceptions[at] = (char) block;
    count++;
  }

  /// Whether it would take less than half of the memory in compact form.
  ///
  /// @param size how many are in it
  boolean isLoose(int size) {
    int few = Math.min(size, blocks - size);
    return words.length > 0 && 2 * few <= blocks / BLOCKS_PER_EXCEPTION;
  }

  /// Takes as little memory as it can. Only for a set that is not frozen.
  ///
  /// @param size how many are in it
  void compact(int size) {
    if (!isLoose(size)) {
      return;
    }
    int few = Math.min(size, blocks - size);
    mostly = size > blocks - size;
    exceptions = new char[few];
    count = 0;
    for (int word = 0; word < words.length; word++) {
      for (long bits = mostly ? ~words[word] : words[word]; bits != 0; bits &= bits - 1) {
        exceptions[count++] = (char) (64 * word + Long.numberOfTrailingZeros(bits));
      }
    }
    words = new long[0];
  }

  /// Bit i mod 64 of word i / 64: block i is in it.
  long[] words() {
    if (words.length > 0) {
      return words.clone();
    }
    long[] all = new long[blocks / 64];
    Arrays.fill(all, mostly ? -1 : 0);
    for (int i = 0; i < count; i++) {
      all[exceptions[i] >>> 6] ^= 1L << exceptions[i];
    }
    return all;
  }

  BitSet toBitSet() {
    return BitSet.valueOf(words());
  }

  /// This set, or a copy if it is frozen.
  BlockSet writable() {
    return frozen ? new BlockSet(blocks, words.clone(), exceptions.clone(), count, mostly) : this;
  }

  BlockSet frozen() {
    frozen = true;
    return this;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    return 40 + 2L * 16 + 8L * words.length + 2L * exceptions.length;
  }
}
