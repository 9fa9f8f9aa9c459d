package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import java.util.BitSet;

/// The ids of segments. Each is given out once until all were. From then on, ids that are free
/// again are given out in turn: each written segment takes one, so a pool that is written for long
/// enough gets there. Safe for any thread.
///
/// *Why an id can be used again:* a segment gives its id back when it is removed. By then a
/// checkpoint counts that was cut after all in it had died, and every reader from before that has
/// left. So no map has an address in it. Neither the tables nor the log from that cut on name it,
/// and a restart reads nothing else.
///
/// An id that was given out and not used, because a checkpoint came to nothing, is free after the
/// next open.
public final class SegmentIds {

  private static final int ALL = BlockAddress.MAX_SEGMENT + 1;

  private final BitSet used = new BitSet(); // guarded by this
  private int next; // guarded by this: all from here on were never used
  private int turn; // guarded by this: where to look when there are none of those

  /// @throws IllegalStateException if each id has a segment
  synchronized int take() {
    int id = next < ALL ? next : free();
    use(id);
    return id;
  }

  private int free() {
    int id = used.nextClearBit(turn);
    id = id < ALL ? id : used.nextClearBit(0);
    if (id >= ALL) {
      throw new IllegalStateException("expected fewer than %d segments, found all".formatted(ALL));
    }
    return id;
  }

  /// Notes that an id is in use: found at an open, or taken.
  ///
  /// @throws IllegalStateException if no segment can have it
  public synchronized void use(int id) {
    if (id < 0 || id >= ALL) {
      throw new IllegalStateException("expected a segment below %d, found %d".formatted(ALL, id));
    }
    used.set(id);
    next = Math.max(next, id + 1);
    turn = id + 1;
  }

  /// Takes back an id that no segment has any more.
  synchronized void giveBack(int id) {
    used.clear(id);
  }

  /// The lowest id that was never used, or one more than the highest there is.
  public synchronized int next() {
    return next;
  }

  /// Notes that all ids below this one were used.
  public synchronized void raise(int atLeast) {
    next = Math.max(next, atLeast);
  }

  /// About how many segments were begun since this one.
  public synchronized int age(int id) {
    return Math.floorMod(turn - id, ALL);
  }

  /// Bytes of memory that it takes, about.
  synchronized long bytes() {
    return used.size() / 8;
  }
}
