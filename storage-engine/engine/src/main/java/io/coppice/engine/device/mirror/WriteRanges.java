package io.coppice.engine.device.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The ranges that keep a copy of bytes between devices apart from writes of the same bytes.
/// Otherwise older bytes could overwrite a write to both. Writes never wait for each other. Safe
/// for any thread.
final class WriteRanges {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Range> writes = new ArrayList<>(); // guarded by lock
  private @Nullable Range copied; // guarded by lock

  /// Bytes from one offset to before another one.
  record Range(long from, long to) {
    boolean overlaps(@Nullable Range other) {
      return other != null && from < other.to && other.from < to;
    }
  }

  /// Begins a write; waits for a copy that overlaps it.
  Range enter(long from, long to) {
    Range range = new Range(from, to);
    lock.lock();
    try {
      while (range.overlaps(copied)) {
        changed.awaitUninterruptibly();
      }
      writes.add(range);
    } finally {
      lock.unlock();
    }
    return range;
  }

  void leave(Range range) {
    lock.lock();
    try {
      writes.remove(range);
      if (copied != null) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Begins a copy; waits for any other, and for the writes under way that overlap it.
  Range enterAlone(long from, long to) {
    Range range = new Range(from, to);
    lock.lock();
    try {
      while (copied != null) {
        changed.awaitUninterruptibly();
      }
      copied = range;
      while (writes.stream().anyMatch(range::overlaps)) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    return range;
  }

  void leaveAlone(Range range) {
    lock.lock();
    try {
      if (range.equals(copied)) {
        copied = null;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
