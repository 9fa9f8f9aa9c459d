package io.coppice.engine.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The order of overlapping I/Os of one volume. If one of two is exclusive, they run one after the
/// other, in the order in which they came. All others run side by side.
public final class RangeOrder {

  /// The whole volume, whatever its size.
  static final long EVERYTHING = Long.MAX_VALUE;

  /// One I/O: blocks [first, end), from [#enter] until [#leave].
  public abstract static class Entry {

    private final boolean reads;
    private long first;
    private long end;
    private boolean exclusive;
    private int blockers;
    private @Nullable List<Entry> waiters;
    private @Nullable Entry previous;
    private @Nullable Entry next;

    /// @param reads it changes nothing: two of these never wait for each other
    public Entry(long first, long end, boolean exclusive, boolean reads) {
      this(reads);
      cover(first, end, exclusive);
    }

    /// An entry for which [#cover] is called.
    public Entry(boolean reads) {
      this.reads = reads;
    }

    /// Sets its range from now on, before it first enters or after it has left.
    protected final void cover(long newFirst, long newEnd, boolean isExclusive) {
      first = newFirst;
      end = newEnd;
      exclusive = isExclusive;
    }

    protected final long first() {
      return first;
    }

    /// The entry's turn has come. Called once, in the call of [#enter] or in another entry's
    /// [#leave]; must not block.
    protected abstract void granted();

    private boolean conflictsWith(Entry other) {
      return first < other.end
          && other.first < end
          && (exclusive || other.exclusive)
          && !(reads && other.reads);
    }
  }

  private @Nullable Entry head; // guarded by this
  private @Nullable Entry tail; // guarded by this
  private volatile int size;

  /// Whether nothing is under way.
  boolean isEmpty() {
    return size == 0;
  }

  public void enter(Entry entry) {
    if (register(entry, false)) {
      entry.granted();
    }
  }

  /// As [#enter], for a read that delays no other I/O once it has begun. It is registered only if
  /// it must wait.
  ///
  /// @return whether it may begin at once; if not, [Entry#granted] will be called
  public boolean enterUnlessFree(Entry entry) {
    return size == 0 || register(entry, true);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private synchronized boolean register(Entry entry, boolean onlyToWait) {
    for (Entry other = head; other != null; other = other.next) {
      if (entry.conflictsWith(other)) {
        if (other.waiters == null) {
          other.waiters = new ArrayList<>(2);
        }
        other.waiters.add(entry);
        entry.blockers++;
      }
    }
    if (onlyToWait && entry.blockers == 0) {
      return true;
    }
    entry.previous = tail;
    if (tail == null) {
      head = entry;
    } else {
      tail.next = entry;
    }
    tail = entry;
    size = size + 1;
    return entry.blockers == 0;
  }

  public void leave(Entry entry) {
    List<Entry> waiters = unlink(entry);
    if (waiters == null) {
      return;
    }
    for (Entry waiter : waiters) {
      if (unblock(waiter)) {
        waiter.granted();
      }
    }
  }

  private synchronized boolean unblock(Entry waiter) {
    return --waiter.blockers == 0;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private synchronized @Nullable List<Entry> unlink(Entry entry) {
    if (entry.previous == null) {
      head = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next == null) {
      tail = entry.previous;
    } else {
      entry.next.previous = entry.previous;
    }
    size = size - 1;
    List<Entry> waiters = entry.waiters;
    entry.previous = null;
    entry.next = null;
    entry.waiters = null;
    return waiters;
  }
}
