package io.coppice.scsi;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The commands in flight at one place, so that others can wait for them or mark them aborted.
///
/// A command handed to the engine cannot be called back: aborting it means to wait until it has
/// ended, and to answer TASK ABORTED. Adding and removing cost one short lock and no allocation.
final class CommandSet {

  private final Object lock = new Object();
  private @Nullable InFlight first; // guarded by lock
  private boolean closed; // guarded by lock

  /// One command, or one part of a command, in flight. In at most one set.
  abstract static class InFlight {
    private @Nullable InFlight previous; // guarded by the set's lock
    private @Nullable InFlight next; // guarded by the set's lock
    private @Nullable Waiter waiters; // guarded by the set's lock
    private volatile boolean aborted;

    /// Whether it shall end soon; how it ends does not matter any more.
    final boolean isAborted() {
      return aborted;
    }
  }

  private record Waiter(Drain drain, @Nullable Waiter next) {}

  /// @return false if the set is closed: the command must not begin
  boolean add(InFlight command) {
    synchronized (lock) {
      if (closed) {
        return false;
      }
      InFlight head = first;
      command.next = head;
      if (head != null) {
        head.previous = command;
      }
      first = command;
      return true;
    }
  }

  /// Takes out a command that has been answered.
  void remove(InFlight command) {
    Waiter waiting;
    synchronized (lock) {
      InFlight before = command.previous;
      InFlight after = command.next;
      if (before != null) {
        before.next = after;
      } else {
        first = after;
      }
      if (after != null) {
        after.previous = before;
      }
      command.previous = null;
      command.next = null;
      waiting = command.waiters;
      command.waiters = null;
    }
    for (Waiter w = waiting; w != null; w = w.next()) {
      w.drain().release();
    }
  }

  /// Lets no more commands in.
  void close() {
    synchronized (lock) {
      closed = true;
    }
  }

  /// Makes `drain` wait for the present commands that match.
  ///
  /// @param abort whether they are to be answered TASK ABORTED
  /// @return how many
  int drain(Predicate<InFlight> which, boolean abort, Drain drain) {
    int count = 0;
    synchronized (lock) {
      for (InFlight c = first; c != null; c = c.next) {
        if (which.test(c)) {
          if (abort) {
            c.aborted = true;
          }
          drain.retain();
          c.waiters = new Waiter(drain, c.waiters);
          count++;
        }
      }
    }
    return count;
  }
}
