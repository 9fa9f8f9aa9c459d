package io.coppice.engine.segment;

import java.util.Arrays;

/// How many placements a block has, for the blocks that have two or more: those that were copied by
/// pointer or written many times at once. A block that is not here has one. Committer only.
public final class PlacementCounts {

  private long[] addresses = new long[64];
  private int[] counts = new int[64];
  private int size;

  /// Blocks with two or more placements.
  public int size() {
    return size;
  }

  /// Placements of `address`: 1 unless counted.
  public int of(long address) {
    int at = find(address);
    return addresses[at] == address ? counts[at] : 1;
  }

  /// Adds `more` placements.
  public void add(long address, int more) {
    int at = find(address);
    if (addresses[at] == address) {
      counts[at] = Math.addExact(counts[at], more);
      return;
    }
    if (2 * (size + 1) > addresses.length) {
      grow();
      at = find(address);
    }
    addresses[at] = address;
    counts[at] = 1 + more;
    size++;
  }

  /// Takes one placement away.
  ///
  /// @return whether that was the last one
  public boolean remove(long address) {
    int at = find(address);
    if (addresses[at] != address) {
      return true;
    }
    counts[at]--;
    if (counts[at] == 1) {
      delete(at);
    }
    return false;
  }

  /// Addresses in use, in no order; element 2i is an address, 2i+1 its count.
  public long[] pairs() {
    long[] pairs = new long[2 * size];
    int next = 0;
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] != 0) {
        pairs[next++] = addresses[i];
        pairs[next++] = counts[i];
      }
    }
    return pairs;
  }

  private int find(long address) {
    int mask = addresses.length - 1;
    int at = slot(address, mask);
    while (addresses[at] != 0 && addresses[at] != address) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private static int slot(long address, int mask) {
    long mixed = address * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 32) & mask;
  }

  // Linear probing: close the gap, so that no tombstone is needed.
  private void delete(int gap) {
    int mask = addresses.length - 1;
    int at = gap;
    while (true) {
      addresses[gap] = 0;
      do {
        at = (at + 1) & mask;
        if (addresses[at] == 0) {
          size--;
          return;
        }
      } while (stays(slot(addresses[at], mask), gap, at));
      addresses[gap] = addresses[at];
      counts[gap] = counts[at];
      gap = at;
    }
  }

  private static boolean stays(int home, int gap, int at) {
    return gap <= at ? gap < home && home <= at : gap < home || home <= at;
  }

  private void grow() {
    long[] oldAddresses = addresses;
    int[] oldCounts = counts;
    addresses = new long[2 * oldAddresses.length];
    counts = Arrays.copyOf(counts, addresses.length);
    for (int i = 0; i < oldAddresses.length; i++) {
      if (oldAddresses[i] != 0) {
        int at = find(oldAddresses[i]);
        addresses[at] = oldAddresses[i];
        counts[at] = oldCounts[i];
      }
    }
  }
}
