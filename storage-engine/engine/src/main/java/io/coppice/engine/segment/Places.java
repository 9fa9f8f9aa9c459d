package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Where blocks of one segment lie that have been moved: a *place* is the number of a block among
/// all blocks of all zones. What is noted for a block that has died stays, for readers that still
/// hold its address.
///
/// Changed by the committer, read by anyone. A frozen one is never changed again: a checkpoint
/// reads it at leisure.
final class Places {

  /// Place of a block that was never moved.
  static final long HOME = -1;

  /// Most blocks of a pool of which one of data may be moved: its place takes 32 bits.
  static final long MAX_BLOCKS = 0xFFFF_FFFFL;

  private static final VarHandle NARROW = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle WIDE = MethodHandles.arrayElementVarHandle(long[].class);

  // One of the two is empty.
  private final int[] narrow; // 0xFFFFFFFF = home
  private final long[] wide;
  private boolean frozen;

  /// @param kind blocks of data are many: a place of theirs takes half as much
  Places(int blocks, Segment.Kind kind) {
    this(
        new int[kind == Segment.Kind.LOG ? blocks : 0],
        new long[kind == Segment.Kind.LOG ? 0 : blocks]);
    Arrays.fill(narrow, -1);
    Arrays.fill(wide, HOME);
  }

  private Places(int[] narrow, long[] wide) {
    this.narrow = narrow;
    this.wide = wide;
  }

  long of(int block) {
    if (narrow.length == 0) {
      return (long) WIDE.getAcquire(wide, block);
    }
    int place = (int) NARROW.getAcquire(narrow, block);
    return place == -1 ? HOME : place & 0xFFFF_FFFFL;
  }

  void set(int block, long place) {
    if (narrow.length == 0) {
      WIDE.setRelease(wide, block, place);
    } else {
      NARROW.setRelease(narrow, block, (int) place);
    }
  }

  Places copy() {
    return new Places(narrow.clone(), wide.clone());
  }

  /// This one, or a copy if this is frozen.
  Places writable() {
    return frozen ? copy() : this;
  }

  Places frozen() {
    frozen = true;
    return this;
  }
}
