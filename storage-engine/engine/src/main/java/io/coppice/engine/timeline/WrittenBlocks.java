package io.coppice.engine.timeline;

import java.util.Arrays;

/// A set of blocks of a volume, with a bit for each block of each leaf. For one thread at a time.
///
/// The leaves are in an open hash table: a volume that is written at random needs another leaf with
/// each write, and a journal looks here with each of them.
public final class WrittenBlocks {

  private static final int LEAF_SHIFT = 9;
  private static final int LEAF_MASK = (1 << LEAF_SHIFT) - 1;
  private static final int WORDS = 8;
  private static final int LEAST_PLACES = 4;
  private static final int PLACE_BYTES = Long.BYTES * (1 + WORDS);
  private static final long SCATTER = 0x9E3779B97F4A7C15L; // 2^64 by the golden ratio

  // Of each place the leaf, one more than its number; 0 for none. A power of two, half full at
  // most.
  private long[] places = new long[LEAST_PLACES];
  private long[] bits = new long[LEAST_PLACES * WORDS];
  private int leaves;
  private long lastLeaf = -1;
  private int lastPlace;

  /// Adds a block.
  ///
  /// @return whether it was not there yet
  public boolean add(long block) {
    long leaf = block >>> LEAF_SHIFT;
    if (leaf != lastLeaf) {
      lastPlace = placeOf(leaf);
      lastLeaf = leaf;
    }
    int index = (int) (block & LEAF_MASK);
    int word = lastPlace * WORDS + (index >>> 6);
    long before = bits[word];
    bits[word] = before | 1L << index;
    return bits[word] != before;
  }

  private int placeOf(long leaf) {
    int place = find(leaf);
    if (places[place] == 0) {
      if (2 * (leaves + 1) > places.length) {
        grow();
        place = find(leaf);
      }
      places[place] = leaf + 1;
      leaves++;
    }
    return place;
  }

  /// The place of a leaf, or the one that it would get.
  private int find(long leaf) {
    int mask = places.length - 1;
    int place = (int) (leaf * SCATTER >>> Integer.SIZE) & mask;
    while (places[place] != 0 && places[place] != leaf + 1) {
      place = place + 1 & mask;
    }
    return place;
  }

  private void grow() {
    long[] oldPlaces = places;
    long[] oldBits = bits;
    places = new long[2 * oldPlaces.length];
    bits = new long[2 * oldBits.length];
    for (int old = 0; old < oldPlaces.length; old++) {
      if (oldPlaces[old] != 0) {
        int place = find(oldPlaces[old] - 1);
        places[place] = oldPlaces[old];
        System.arraycopy(oldBits, old * WORDS, bits, place * WORDS, WORDS);
      }
    }
  }

  int leaves() {
    return leaves;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    return (long) PLACE_BYTES * places.length;
  }

  /// Forgets all blocks. The table stays as large as they needed it: as many come again as a rule.
  void clear() {
    int needed = LEAST_PLACES;
    while (needed < 2 * leaves) {
      needed *= 2;
    }
    if (needed == places.length) {
      Arrays.fill(places, 0);
      Arrays.fill(bits, 0);
    } else {
      places = new long[needed];
      bits = new long[needed * WORDS];
    }
    leaves = 0;
    lastLeaf = -1;
  }
}
