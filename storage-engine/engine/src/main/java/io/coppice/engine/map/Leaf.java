package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// 512 entries: address, CRC32C and born version of a block each.
///
/// The committer makes the stamp odd while it writes; a reader copies entries and keeps them only
/// if the stamp was even and is the same afterwards.
public final class Leaf extends Node {

  private static final VarHandle STAMP;

  static {
    try {
      STAMP = MethodHandles.lookup().findVarHandle(Leaf.class, "stamp", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LeafMemory memory;
  final int slot;
  private volatile int mapped;

  @SuppressWarnings("unused") // through STAMP
  private int stamp;

  /// An empty leaf.
  public Leaf(int owner, int interval, LeafMemory memory) {
    super(owner, interval);
    this.memory = memory;
    slot = memory.take();
    memory.clear(slot);
  }

  Leaf(int owner, int interval, Leaf from) {
    super(owner, interval);
    memory = from.memory;
    slot = memory.take();
    memory.copy(from.slot, slot);
    mapped = from.mapped;
  }

  @Override
  public long mapped() {
    return mapped;
  }

  public long address(int index) {
    return memory.address(slot, index);
  }

  public int crc(int index) {
    return memory.crc(slot, index);
  }

  public int born(int index) {
    return memory.born(slot, index);
  }

  /// Committer, inside [#beginWrite] and [#endWrite], or the loader.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void set(int index, long address, int crc, int born) {
    int before = memory.address(slot, index) == BlockAddress.NONE ? 0 : 1;
    int after = address == BlockAddress.NONE ? 0 : 1;
    memory.set(slot, index, address, crc, born);
    mapped = mapped + after - before;
  }

  void beginWrite() {
    STAMP.setOpaque(this, (int) STAMP.getOpaque(this) + 1);
    VarHandle.storeStoreFence();
  }

  void endWrite() {
    STAMP.setRelease(this, (int) STAMP.getOpaque(this) + 1);
  }

  /// Copies `count` entries from index `from` on, as of one moment.
  void read(int from, int count, long[] addresses, int[] crcs, int at) {
    while (true) {
      int before = (int) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        for (int i = 0; i < count; i++) {
          addresses[at + i] = memory.address(slot, from + i);
          crcs[at + i] = memory.crc(slot, from + i);
        }
        VarHandle.loadLoadFence();
        if ((int) STAMP.getOpaque(this) == before) {
          return;
        }
      }
      Thread.onSpinWait();
    }
  }

  void giveBackMemory() {
    memory.giveBack(slot);
  }
}
