package io.coppice.iscsi.connection;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// How much data of commands is held in memory, in bytes: what initiators send, and what they are
/// sent until it has left. One for all sessions together, a part of it for each initiator, and a
/// [#share] of that for each session. Safe for any thread.
///
/// An initiator may hold as much as is free beside it: alone half, beside one other that takes all
/// it can a third, and so on. So whatever others hold, whoever comes finds as much free as each of
/// them has.
public final class DataMemory {

  private final long limit;
  private final @Nullable DataMemory whole;
  private final boolean leavesAsMuch;
  private final AtomicLong used = new AtomicLong();

  public DataMemory(long limit) {
    this(limit, null, false);
  }

  private DataMemory(long limit, @Nullable DataMemory whole, boolean leavesAsMuch) {
    this.limit = limit;
    this.whole = whole;
    this.leavesAsMuch = leavesAsMuch;
  }

  /// A part of this memory with a limit of its own: what it takes is taken here too.
  public DataMemory share(long limitInBytes) {
    return new DataMemory(limitInBytes, this, false);
  }

  /// The part of one initiator: never more than is left free here. Where several take at the same
  /// moment, by what they take more.
  public DataMemory part() {
    return new DataMemory(limit, this, true);
  }

  /// @return whether there was room; if not, nothing is taken
  public boolean take(int length) {
    long held = used.addAndGet(length);
    if (held <= limit && leavesEnough(held) && (whole == null || whole.take(length))) {
      return true;
    }
    used.addAndGet(-length);
    return false;
  }

  private boolean leavesEnough(long held) {
    return !leavesAsMuch || whole == null || held <= whole.limit - whole.used();
  }

  public void giveBack(int length) {
    used.addAndGet(-length);
    if (whole != null) {
      whole.giveBack(length);
    }
  }

  public long used() {
    return used.get();
  }
}
