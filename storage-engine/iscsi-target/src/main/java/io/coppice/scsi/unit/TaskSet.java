package io.coppice.scsi.unit;

import io.coppice.scsi.transport.TaskAttribute;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The commands in flight at one place, so that others can wait for them or mark them aborted.
///
/// A command handed to the engine cannot be called back. Aborting it means waiting until it has
/// ended, and answering TASK ABORTED. Adding and removing cost one short lock and no allocation.
///
/// Task attributes (SAM-5 §8.6): an ORDERED command begins when all earlier ones have ended, and
/// later ones begin after it. One at the HEAD OF QUEUE never waits.
public final class TaskSet {

  private final Object lock = new Object();
  private @Nullable InFlight first; // guarded by lock
  private boolean closed; // guarded by lock
  private int running; // guarded by lock
  private boolean exclusive; // guarded by lock: an ordered command runs
  private final ArrayDeque<InFlight> waiting = new ArrayDeque<>(0); // guarded by lock

  /// One command, or one part of a command, in flight. In at most one set.
  public abstract static class InFlight {
    private @Nullable InFlight previous; // guarded by the set's lock
    private @Nullable InFlight next; // guarded by the set's lock
    private @Nullable Waiter waiters; // guarded by the set's lock
    private boolean ordered; // guarded by the set's lock
    private long waitNanos; // while it waits, the time of its begin; then how long it waited
    private volatile boolean aborted;
    private volatile boolean leaving;

    /// Whether it waits at some place from which [#takeOut] takes it. Called with the set's lock.
    public boolean waitsElsewhere() {
      return false;
    }

    /// Ends a command that waits elsewhere and has not begun. Called without locks, after
    /// [#isLeaving] became true.
    public void takeOut() {}

    /// Whether somebody waits for its end.
    public final boolean isLeaving() {
      return leaving;
    }

    /// How long it waited for its turn, in nanoseconds. To be called from [#begin] on.
    protected final long waitNanos() {
      return waitNanos;
    }

    /// Begins a command that had to wait. Called once, without locks.
    public abstract void begin();

    /// Whether it shall end soon; how it ends no longer matters.
    public final boolean isAborted() {
      return aborted;
    }
  }

  private record Waiter(CompletionBarrier drain, @Nullable Waiter next) {}

  /// The turn of a command that comes in.
  public enum Turn {
    /// It begins now; the caller begins it.
    BEGIN,
    /// It is in the set and begins when its turn comes.
    WAIT,
    /// The set is closed: the command must not begin.
    REFUSED
  }

  public Turn add(InFlight command, TaskAttribute attribute) {
    synchronized (lock) {
      if (closed) {
        return Turn.REFUSED;
      }
      InFlight head = first;
      command.next = head;
      if (head != null) {
        head.previous = command;
      }
      first = command;
      command.ordered = attribute == TaskAttribute.ORDERED;
      if (attribute != TaskAttribute.HEAD_OF_QUEUE && mustWait(command)) {
        command.waitNanos = System.nanoTime();
        waiting.add(command);
        return Turn.WAIT;
      }
      running++;
      exclusive |= command.ordered;
      return Turn.BEGIN;
    }
  }

  private boolean mustWait(InFlight command) {
    return exclusive || !waiting.isEmpty() || command.ordered && running > 0;
  }

  /// Takes out a command that has been answered.
  public void remove(InFlight command) {
    Waiter told;
    List<InFlight> due;
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
      told = command.waiters;
      command.waiters = null;
      running--;
      exclusive &= !command.ordered;
      due = waiting.isEmpty() ? List.of() : takeDue();
    }
    for (Waiter w = told; w != null; w = w.next()) {
      w.drain().release();
    }
    due.forEach(InFlight::begin);
  }

  /// The waiting commands whose turn has come.
  private List<InFlight> takeDue() {
    List<InFlight> due = new ArrayList<>();
    long now = System.nanoTime();
    while (!waiting.isEmpty() && !exclusive && !(waiting.getFirst().ordered && running > 0)) {
      InFlight next = waiting.removeFirst();
      next.waitNanos = now - next.waitNanos;
      running++;
      exclusive = next.ordered;
      due.add(next);
    }
    return due;
  }

  /// Lets no more commands in.
  public void close() {
    synchronized (lock) {
      closed = true;
    }
  }

  /// Makes `drain` wait for the present commands that match. Those that wait for admission end now.
  ///
  /// @param abort whether they are to be answered TASK ABORTED
  /// @return the number of commands
  public int drain(Predicate<InFlight> which, boolean abort, CompletionBarrier drain) {
    int count = 0;
    List<InFlight> out = List.of();
    synchronized (lock) {
      for (InFlight c = first; c != null; c = c.next) {
        if (which.test(c)) {
          if (abort) {
            c.aborted = true;
          }
          c.leaving = true;
          if (c.waitsElsewhere()) {
            out = out.isEmpty() ? new ArrayList<>() : out;
            out.add(c);
          }
          drain.retain();
          c.waiters = new Waiter(drain, c.waiters);
          count++;
        }
      }
    }
    out.forEach(InFlight::takeOut);
    return count;
  }
}
