package io.coppice.engine.map;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The off-heap memory for the entries of leaves, in slots of 8 KiB carved from slabs.
///
/// A slot holds 512 addresses (8 bytes), then 512 CRCs (4), then 512 *born* versions (4). The
/// committer and the threads that load leaves take slots and give them back. The memory itself is
/// never given back: a reader of a slot that has become another leaf's reads nonsense, and notices
/// by the stamp of its [Leaf].
final class LeafMemory {

  /// Entries of a leaf.
  private static final int ENTRIES = 512;

  static final int SLOT_BYTES = 16 * ENTRIES;
  private static final int SLOTS_PER_SLAB = 256;
  private static final int CRC_AT = 8 * ENTRIES;
  private static final int BORN_AT = 12 * ENTRIES;

  // Freed with this object: a reader may still be under way when the pool is closed.
  private final Arena arena = Arena.ofAuto();
  private volatile MemorySegment[] slabs = {};
  private int[] free = new int[SLOTS_PER_SLAB]; // guarded by this
  private int freeCount; // guarded by this
  private volatile int inUse; // guarded by this for changes

  /// Slots taken.
  int inUse() {
    return inUse;
  }

  synchronized int take() {
    if (freeCount == 0) {
      grow();
    }
    inUse++;
    return free[--freeCount];
  }

  synchronized void giveBack(int slot) {
    inUse--;
    putBack(slot);
  }

  private void putBack(int slot) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = slot;
  }

  void clear(int slot) {
    slab(slot).asSlice(offset(slot), SLOT_BYTES).fill((byte) 0);
  }

  void copy(int from, int to) {
    MemorySegment.copy(slab(from), offset(from), slab(to), offset(to), SLOT_BYTES);
  }

  long address(int slot, int index) {
    return slab(slot).get(ValueLayout.JAVA_LONG, offset(slot) + 8L * index);
  }

  int crc(int slot, int index) {
    return slab(slot).get(ValueLayout.JAVA_INT, offset(slot) + CRC_AT + 4L * index);
  }

  int born(int slot, int index) {
    return slab(slot).get(ValueLayout.JAVA_INT, offset(slot) + BORN_AT + 4L * index);
  }

  /// Copies all entries, as a whole.
  void read(int slot, long[] addresses, int[] crcs, int[] born) {
    MemorySegment slab = slab(slot);
    long offset = offset(slot);
    MemorySegment.copy(slab, ValueLayout.JAVA_LONG, offset, addresses, 0, ENTRIES);
    MemorySegment.copy(slab, ValueLayout.JAVA_INT, offset + CRC_AT, crcs, 0, ENTRIES);
    MemorySegment.copy(slab, ValueLayout.JAVA_INT, offset + BORN_AT, born, 0, ENTRIES);
  }

  void set(int slot, int index, long address, int crc, int born) {
    MemorySegment slab = slab(slot);
    long offset = offset(slot);
    slab.set(ValueLayout.JAVA_LONG, offset + 8L * index, address);
    slab.set(ValueLayout.JAVA_INT, offset + CRC_AT + 4L * index, crc);
    slab.set(ValueLayout.JAVA_INT, offset + BORN_AT + 4L * index, born);
  }

  private MemorySegment slab(int slot) {
    return slabs[slot / SLOTS_PER_SLAB];
  }

  private static long offset(int slot) {
    return (long) (slot % SLOTS_PER_SLAB) * SLOT_BYTES;
  }

  private void grow() {
    MemorySegment[] more = Arrays.copyOf(slabs, slabs.length + 1);
    int slab = slabs.length;
    more[slab] = arena.allocate((long) SLOTS_PER_SLAB * SLOT_BYTES, 4096);
    slabs = more;
    for (int i = SLOTS_PER_SLAB - 1; i >= 0; i--) {
      putBack(slab * SLOTS_PER_SLAB + i);
    }
  }
}
