package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A leaf of a map: 512 entries, each with address, CRC32C and born version of a block, in a slot
/// of [LeafMemory].
///
/// The committer makes the stamp odd while it writes, and while it takes the slot away. A reader
/// copies entries, and keeps them only if the stamp was even and is the same afterwards. So a slot
/// may be used for another leaf at once: a reader that still copies from it notices.
public final class Leaf extends Node {

  private static final int ABSENT = -1;

  private static final VarHandle STAMP;
  private static final VarHandle SLOT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STAMP = lookup.findVarHandle(Leaf.class, "stamp", int.class);
      SLOT = lookup.findVarHandle(Leaf.class, "slot", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LeafMemory memory;
  private volatile int slot;
  private volatile int mapped;

  @SuppressWarnings("unused") // through STAMP
  private int stamp;

  /// An empty leaf.
  Leaf(int owner, int interval, LeafMemory memory) {
    super(owner, interval);
    this.memory = memory;
    int own = memory.take();
    memory.clear(own);
    slot = own;
  }

  /// A copy of a leaf that is in memory.
  Leaf(int owner, int interval, Leaf from) {
    super(owner, interval);
    memory = from.memory;
    int own = memory.take();
    memory.copy(from.slot, own);
    slot = own;
    mapped = from.mapped;
  }

  /// A clean leaf without its content.
  Leaf(Stored at, int mapped, LeafMemory memory) {
    super(at);
    this.memory = memory;
    this.mapped = mapped;
    slot = ABSENT;
  }

  @Override
  public long mapped() {
    return mapped;
  }

  @Override
  public boolean isResident() {
    return slot != ABSENT;
  }

  /// Address of an entry in memory. For the committer, or the checkpoint that writes this leaf.
  public long address(int index) {
    return memory.address(slot, index);
  }

  public int crc(int index) {
    return memory.crc(slot, index);
  }

  public int born(int index) {
    return memory.born(slot, index);
  }

  /// Sets an entry. Committer, inside [#beginWrite] and [#endWrite].
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void set(int index, long address, int crc, int born) {
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

  /// Copies `count` entries from index `from` on to index `at` of a target, as of one moment.
  ///
  /// @return false if the content is not in memory
  boolean read(int from, int count, MapEntries target, int at) {
    int[] born = target.born;
    while (true) {
      int before = (int) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        int now = slot;
        if (now == ABSENT) {
          return false;
        }
        for (int i = 0; i < count; i++) {
          target.addresses[at + i] = memory.address(now, from + i);
          target.crcs[at + i] = memory.crc(now, from + i);
          if (born != null) {
            born[at + i] = memory.born(now, from + i);
          }
        }
        if (isUnchangedSince(before)) {
          touch();
          return true;
        }
      }
      Thread.onSpinWait();
    }
  }

  /// As [#read], for all entries.
  public boolean read(LeafEntries into) {
    while (true) {
      int before = (int) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        int now = slot;
        if (now == ABSENT) {
          return false;
        }
        memory.read(now, into.addresses, into.crcs, into.born);
        if (isUnchangedSince(before)) {
          return true;
        }
      }
      Thread.onSpinWait();
    }
  }

  private boolean isUnchangedSince(int before) {
    VarHandle.loadLoadFence();
    return (int) STAMP.getOpaque(this) == before;
  }

  private int slotWith(NodeImage image) {
    int own = memory.take();
    memory.clear(own);
    for (int i = 0; i < image.indexes().length; i++) {
      memory.set(own, image.indexes()[i], image.addresses()[i], image.crcs()[i], image.third()[i]);
    }
    return own;
  }

  /// Takes the content that was read for this leaf.
  ///
  /// @return false if another loader was first
  boolean publish(NodeImage image) {
    int own = slotWith(image);
    if (SLOT.compareAndSet(this, ABSENT, own)) {
      return true;
    }
    memory.giveBack(own);
    return false;
  }

  /// Drops the content of a clean leaf. Committer only.
  ///
  /// @return whether there was one
  boolean drop() {
    int old = slot;
    if (old == ABSENT) {
      return false;
    }
    beginWrite();
    slot = ABSENT;
    endWrite();
    memory.giveBack(old);
    return true;
  }

  /// Gives up the slot of a leaf that is out of every reader's reach.
  void giveBackMemory() {
    memory.giveBack(slot);
  }
}
