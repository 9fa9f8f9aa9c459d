package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The places of the moved blocks of one segment. A *place* is the number of a block among all
/// blocks of all zones. The place of a block that has died stays for readers that still hold its
/// address, until its zone is given up.
///
/// Kept in [Stretch]es of 512 blocks, each replaced as a whole: changed by the committer, read by
/// any thread. A frozen one is never changed again: a checkpoint reads it at leisure.
final class Places implements Whereabouts.Moved {

  /// Place of a block that was never moved.
  static final long HOME = -1;

  private static final int SHIFT = 9;
  private static final VarHandle STRETCH = MethodHandles.arrayElementVarHandle(Stretch[].class);

  private final @Nullable Stretch[] stretches;
  private boolean frozen;

  Places(int blocks) {
    this(new Stretch[(blocks + (1 << SHIFT) - 1) >>> SHIFT]);
  }

  private Places(@Nullable Stretch[] stretches) {
    this.stretches = stretches;
  }

  long of(int block) {
    Stretch stretch = (Stretch) STRETCH.getAcquire(stretches, block >>> SHIFT);
    return stretch == null ? HOME : stretch.of(block & (1 << SHIFT) - 1);
  }

  /// @param place not [#HOME]
  void set(int block, long place) {
    int index = block >>> SHIFT;
    Stretch before = stretches[index];
    Stretch now = (before == null ? Stretch.EMPTY : before).with(block & (1 << SHIFT) - 1, place);
    STRETCH.setRelease(stretches, index, now);
  }

  /// Forgets blocks at places [from, to). Nothing may hold the address of such a block.
  void forget(long from, long to) {
    for (int i = 0; i < stretches.length; i++) {
      Stretch stretch = stretches[i];
      if (stretch != null) {
        STRETCH.setRelease(stretches, i, stretch.without(from, to));
      }
    }
  }

  Places copy() {
    return new Places(stretches.clone());
  }

  /// These places, or a copy if they are frozen.
  Places writable() {
    return frozen ? copy() : this;
  }

  Places frozen() {
    frozen = true;
    return this;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    long bytes = 32 + 4L * stretches.length;
    for (Stretch stretch : stretches) {
      bytes += stretch == null ? 0 : stretch.bytes();
    }
    return bytes;
  }
}
