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

  /// Most blocks of a pool of which one may be moved: a place takes 32 bits.
  static final long MAX_BLOCKS = 0xFFFF_FFFFL;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] places; // 0xFFFFFFFF = home
  private boolean frozen;

  Places(int blocks) {
    places = new int[blocks];
    Arrays.fill(places, -1);
  }

  private Places(int[] places) {
    this.places = places;
  }

  long of(int block) {
    int place = (int) PLACE.getAcquire(places, block);
    return place == -1 ? HOME : place & 0xFFFF_FFFFL;
  }

  void set(int block, long place) {
    PLACE.setRelease(places, block, (int) place);
  }

  Places copy() {
    return new Places(places.clone());
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
