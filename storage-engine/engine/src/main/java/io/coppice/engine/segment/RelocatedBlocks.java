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
  private static final VarHandle GROUP = MethodHandles.arrayElementVarHandle(LocationGroup[].class);

  private final @Nullable LocationGroup[] groups;
  private boolean frozen;

  RelocatedBlocks(int blocks) {
    this(new LocationGroup[(blocks + (1 << SHIFT) - 1) >>> SHIFT]);
  }

  private RelocatedBlocks(@Nullable LocationGroup[] groups) {
    this.groups = groups;
  }

  long of(int block) {
    LocationGroup group = (LocationGroup) GROUP.getAcquire(groups, block >>> SHIFT);
    return group == null ? HOME : group.of(block & (1 << SHIFT) - 1);
  }

  /// @param place not [#HOME]
  void set(int block, long place) {
    int index = block >>> SHIFT;
    LocationGroup before = groups[index];
    LocationGroup now =
        (before == null ? LocationGroup.EMPTY : before).with(block & (1 << SHIFT) - 1, place);
    GROUP.setRelease(groups, index, now);
  }

  /// Forgets blocks at places [from, to). Nothing may hold the address of such a block.
  void forget(long from, long to) {
    for (int i = 0; i < groups.length; i++) {
      LocationGroup group = groups[i];
      if (group != null) {
        GROUP.setRelease(groups, i, group.without(from, to));
      }
    }
  }

  RelocatedBlocks copy() {
    return new RelocatedBlocks(groups.clone());
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
    long bytes = 32 + 4L * groups.length;
    for (LocationGroup group : groups) {
      bytes += group == null ? 0 : group.bytes();
    }
    return bytes;
  }
}
