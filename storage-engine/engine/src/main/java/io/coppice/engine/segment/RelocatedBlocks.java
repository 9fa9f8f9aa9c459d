package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The places of the moved blocks of one segment. A *place* is the number of a block among all
/// blocks of all zones. The place of a block that has died stays for readers that still hold its
/// address, until its zone is given up.
///
/// Kept in [LocationGroup]s of 512 blocks, each replaced as a whole: changed by the committer, read
/// by any thread. A frozen one is never changed again: a checkpoint reads it at leisure.
final class RelocatedBlocks implements BlockLocations.Moved {

  /// Place of a block that was never moved.
  static final long HOME = -1;

  private static final int SHIFT = 9;
  private static final VarHandle STRETCH =
      MethodHandles.arrayElementVarHandle(LocationGroup[].class);

  private final @Nullable LocationGroup[] stretches;
  private boolean frozen;

  RelocatedBlocks(int blocks) {
    this(new LocationGroup[(blocks + (1 << SHIFT) - 1) >>> SHIFT]);
  }

  private RelocatedBlocks(@Nullable LocationGroup[] stretches) {
    this.stretches = stretches;
  }

  long of(int block) {
    LocationGroup stretch = (LocationGroup) STRETCH.getAcquire(stretches, block >>> SHIFT);
    return stretch == null ? HOME : stretch.of(block & (1 << SHIFT) - 1);
  }

  /// @param place not [#HOME]
  void set(int block, long place) {
    int index = block >>> SHIFT;
    LocationGroup before = stretches[index];
    LocationGroup now =
        (before == null ? LocationGroup.EMPTY : before).with(block & (1 << SHIFT) - 1, place);
    STRETCH.setRelease(stretches, index, now);
  }

  /// Forgets blocks at places [from, to). Nothing may hold the address of such a block.
  void forget(long from, long to) {
    for (int i = 0; i < stretches.length; i++) {
      LocationGroup stretch = stretches[i];
      if (stretch != null) {
        STRETCH.setRelease(stretches, i, stretch.without(from, to));
      }
    }
  }

  RelocatedBlocks copy() {
    return new RelocatedBlocks(stretches.clone());
  }

  /// These places, or a copy if they are frozen.
  RelocatedBlocks writable() {
    return frozen ? copy() : this;
  }

  RelocatedBlocks frozen() {
    frozen = true;
    return this;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    long bytes = 32 + 4L * stretches.length;
    for (LocationGroup stretch : stretches) {
      bytes += stretch == null ? 0 : stretch.bytes();
    }
    return bytes;
  }
}
