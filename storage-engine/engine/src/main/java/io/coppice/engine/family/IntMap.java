package io.coppice.engine.family;

import java.util.Arrays;

/// An immutable map from positive numbers to numbers, with fast look-up.
final class IntMap {

  static final IntMap EMPTY = new IntMap(new int[2], new int[2], 0);

  private final int[] keys;
  private final int[] values;
  private final int size;

  private IntMap(int[] keys, int[] values, int size) {
    this.keys = keys;
    this.values = values;
    this.size = size;
  }

  int size() {
    return size;
  }

  /// @return the value, or 0 if there is none
  int get(int key) {
    if (size == 0) {
      return 0;
    }
    int mask = keys.length - 1;
    int at = slot(key, mask);
    while (keys[at] != 0) {
      if (keys[at] == key) {
        return values[at];
      }
      at = (at + 1) & mask;
    }
    return 0;
  }

  /// Keys and values in turn.
  int[] pairs() {
    int[] pairs = new int[2 * size];
    int next = 0;
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        pairs[next++] = keys[i];
        pairs[next++] = values[i];
      }
    }
    return pairs;
  }

  static IntMap of(int[] pairs) {
    int capacity = Math.max(2, Integer.highestOneBit(Math.max(1, pairs.length)) * 2);
    int[] keys = new int[capacity];
    int[] values = new int[capacity];
    int mask = capacity - 1;
    for (int i = 0; i < pairs.length; i += 2) {
      int at = slot(pairs[i], mask);
      while (keys[at] != 0) {
        at = (at + 1) & mask;
      }
      keys[at] = pairs[i];
      values[at] = pairs[i + 1];
    }
    return new IntMap(keys, values, pairs.length / 2);
  }

  IntMap with(int key, int value) {
    int[] pairs = Arrays.copyOf(pairs(), 2 * size + 2);
    pairs[2 * size] = key;
    pairs[2 * size + 1] = value;
    return of(pairs);
  }

  /// A copy in which every value `from` became `to`. So the present id is found in one step,
  /// however many merges followed.
  IntMap replacing(int from, int to) {
    int[] pairs = pairs();
    for (int i = 1; i < pairs.length; i += 2) {
      if (pairs[i] == from) {
        pairs[i] = to;
      }
    }
    return of(pairs);
  }

  private static int slot(int key, int mask) {
    return (key * 0x9E37_79B9) >>> 7 & mask;
  }
}
