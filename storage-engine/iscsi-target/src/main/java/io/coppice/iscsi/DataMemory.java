package io.coppice.iscsi;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// How much data of commands is held in memory, in bytes: what initiators send, and what they are
/// sent until it has left. One for all sessions together, and a [#share] of it for each session.
/// Safe for any thread.
final class DataMemory {

  private final long limit;
  private final @Nullable DataMemory whole;
  private final AtomicLong used = new AtomicLong();

  DataMemory(long limit) {
    this(limit, null);
  }

  private DataMemory(long limit, @Nullable DataMemory whole) {
    this.limit = limit;
    this.whole = whole;
  }

  /// A part of this memory with a limit of its own: what it takes is taken here too.
  DataMemory share(long limitInBytes) {
    return new DataMemory(limitInBytes, this);
  }

  /// @return whether there was room; if not, nothing is taken
  boolean take(int length) {
    if (used.addAndGet(length) <= limit && (whole == null || whole.take(length))) {
      return true;
    }
    used.addAndGet(-length);
    return false;
  }

  void giveBack(int length) {
    used.addAndGet(-length);
    if (whole != null) {
      whole.giveBack(length);
    }
  }

  long used() {
    return used.get();
  }
}
