package io.coppice.iscsi.connection;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The memory, in bytes, for the data of commands: what initiators send, and what they are sent
/// until it has left. One for all sessions together, a part of it for each initiator, and a
/// [#share] of that for each session. Safe for any thread.
///
/// An initiator may hold as much as it leaves free. That is half if it is alone, a third beside one
/// other that takes all it can, and so on. So a newcomer always finds as much free as each of the
/// others holds.
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

  /// A part of this memory with a limit of its own. It takes its bytes from here too.
  public DataMemory share(long limitInBytes) {
    return new DataMemory(limitInBytes, this, false);
  }

  /// The part of one initiator: never more than it leaves free here. If several take at the same
  /// moment, the excess is at most what they take then.
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
