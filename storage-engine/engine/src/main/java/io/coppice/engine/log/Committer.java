package io.coppice.engine.log;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.thread.Errors;
import io.coppice.engine.thread.Uninterrupted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The writer of the log, which also changes the state.
///
/// It is a role that one thread has at any time: the committer's own or, while nothing is queued or
/// under way, a caller that may block and commits its command itself ([#execute]). A hand-over goes
/// through one lock, so the thread with the role sees all that was done before.
///
/// Group commit without a timer: while a batch is being made stable, commands queue up. All of them
/// go into the next one, up to its limit. A command is applied, and so acknowledged, after its
/// batch is stable, in log order. When a batch fails, it is unknown which parts are stored. From
/// then on nothing is acknowledged or written, and every later command fails with
/// [StorageException.DeviceFailed].
public final class Committer implements Runnable {

  /// The committer's work between batches.
  public interface Background {

    /// A short piece of work.
    ///
    /// @return whether more is to be done at once
    boolean slice();

    /// Notes that a batch that hosts waited for is stable.
    ///
    /// @param now nanoseconds of no particular origin
    /// @param took nanoseconds from handing it to the device
    void hostsWaited(long now, long took);

    /// Notes that the log has failed: no command that was put aside will run.
    void failed(StorageException failure);

    /// Notes that the committer ends: no command that was put aside will run.
    void stopped(StorageException reason);
  }

  private final Log log;
  private final int softLimitBlocks;
  private final Thread thread;

  private final Object lock = new Object();
  private ArrayDeque<Command> queue = new ArrayDeque<>(); // guarded by lock
  private ArrayDeque<Command> spare = new ArrayDeque<>();
  private boolean taken = true; // guarded by lock: somebody has the role; at first, the thread
  private boolean woken; // guarded by lock
  private boolean stopping; // guarded by lock
  private boolean dropped; // guarded by lock
  private @Nullable StorageException failure; // guarded by lock

  private final ArrayDeque<Command> pending = new ArrayDeque<>();
  private final ArrayDeque<Command> inBatch = new ArrayDeque<>();
  private @Nullable Command cut;
  private Background background = new Nothing(); // set before anybody has the role

  /// The background of a committer that has not been started.
  private static final class Nothing implements Background {

    @Override
    public boolean slice() {
      return false;
    }

    @Override
    public void hostsWaited(long now, long took) {}

    @Override
    public void failed(StorageException failure) {}

    @Override
    public void stopped(StorageException reason) {}
  }

  /// @param softLimitBlocks payload at which no further command is added to a batch
  public Committer(Log log, int softLimitBlocks) {
    this.log = log;
    this.softLimitBlocks = softLimitBlocks;
    thread = Thread.ofPlatform().name("coppice-committer").daemon().unstarted(this);
  }

  /// Begins to commit queued commands; until then commands only queue up.
  public void start(Background betweenBatches) {
    background = betweenBatches;
    thread.start();
  }

  /// Queues a command; never waits. Fails it at once if the log has failed or is closed.
  public void submit(Command command) {
    StorageException failed;
    synchronized (lock) {
      failed = failure;
      if (failed == null) {
        failed = enqueue(command);
        notifyIdle();
      }
    }
    if (failed != null) {
      command.fail(failed);
    }
  }

  /// As [#submit], for a command that was put aside by its [Command#admit], which is called again.
  public void resubmit(Command command) {
    command.readmit();
    submit(command);
  }

  /// @return why the command is not in the queue; null if it is
  private @Nullable StorageException enqueue(Command command) {
    try {
      queue.addLast(command);
      return null;
    } catch (OutOfMemoryError e) {
      return new StorageException.DeviceFailed("There was no memory for a command.", e);
    }
  }

  /// As [#submit], for a thread that may block. On an idle log it takes the role, and the command
  /// has been committed on return, unless it needs more than one batch or was put aside.
  public void execute(Command command) {
    if (!takeRole()) {
      submit(command);
      return;
    }
    boolean more = true;
    try {
      pending.addLast(command);
      commitBatch(false);
      more = background.slice() || !pending.isEmpty();
    } catch (RuntimeException | Error e) {
      fatal(e);
    } finally {
      giveRoleBack(more);
    }
  }

  // A virtual thread would block its carrier thread.
  private boolean takeRole() {
    if (Thread.currentThread().isVirtual() || !log.toleratesInterrupts()) {
      return false;
    }
    synchronized (lock) {
      if (taken || woken || stopping || !queue.isEmpty() || !pending.isEmpty()) {
        return false;
      }
      taken = true;
      return true;
    }
  }

  private void giveRoleBack(boolean more) {
    synchronized (lock) {
      taken = false;
      woken |= more;
      if (woken || stopping || !queue.isEmpty()) {
        lock.notify();
      }
    }
  }

  /// Makes the thread with the role look at the background soon.
  public void wake() {
    synchronized (lock) {
      woken = true;
      notifyIdle();
    }
  }

  // The thread with the role looks for more before it lets go.
  private void notifyIdle() {
    if (!taken) {
      lock.notify();
    }
  }

  /// Whether part of a command is in the log: no checkpoint may be cut now. Committer only.
  public boolean isCutOpen() {
    return cut != null;
  }

  /// Commits queued commands, refuses later ones with `reason`, and ends the thread.
  public void stop(StorageException reason) {
    end(reason, false);
  }

  /// Ends the thread after its present batch, as a kill would.
  public void abandon(StorageException reason) {
    end(reason, true);
  }

  private void end(StorageException reason, boolean drop) {
    synchronized (lock) {
      if (failure == null) {
        failure = reason;
      }
      stopping = true;
      dropped |= drop;
      notifyIdle();
    }
    Uninterrupted.join(thread);
  }

  @Override
  public void run() {
    try {
      boolean more = false;
      while (take(!more)) {
        if (!pending.isEmpty()) {
          commitBatch(true);
        }
        more = background.slice();
      }
      StorageException reason = reason();
      if (reason != null) {
        background.stopped(reason);
        failAll(reason);
      }
    } catch (RuntimeException | Error e) {
      fatal(e);
    }
  }

  private @Nullable StorageException reason() {
    synchronized (lock) {
      return failure;
    }
  }

  /// Moves queued commands to `pending`, and waits for work if `mayWait`. Meanwhile the role may be
  /// taken.
  private boolean take(boolean mayWait) {
    ArrayDeque<Command> added;
    synchronized (lock) {
      taken = false;
      while (taken || (mayWait && queue.isEmpty() && pending.isEmpty() && !woken && !stopping)) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          // Nobody but this class knows the thread; an interrupt means nothing to it.
          continue;
        }
      }
      taken = true;
      woken = false;
      if (stopping && (dropped || (queue.isEmpty() && pending.isEmpty()))) {
        return false;
      }
      added = queue;
      queue = spare;
    }
    while (!added.isEmpty()) {
      pending.addLast(added.removeFirst());
    }
    spare = added;
    return true;
  }

  /// @param queued whether its commands waited in the queue
  private void commitBatch(boolean queued) {
    Batch batch;
    try {
      batch = fill();
    } catch (DeviceException.NoSpace e) {
      refuse(pending.poll(), e); // the log could not say which zone comes next
      return;
    }
    if (batch.isEmpty()) {
      return;
    }
    Command head = batch.isOpenEnded() ? pending.peek() : null;
    long start = System.nanoTime();
    try {
      log.commit();
    } catch (DeviceException.NoSpace e) {
      refuse(head == null ? null : pending.poll(), e);
      return;
    }
    long end = System.nanoTime();
    if (head != null || isAnyOfHost()) {
      background.hostsWaited(end, end - start);
    }
    cut = head;
    inBatch.forEach(Command::stable);
    if (head != null) {
      head.stable();
      head.leavesQueue(start);
    }
    while (!inBatch.isEmpty()) {
      // Taken out first: a command ends once, whatever happens to the next one.
      Command next = inBatch.remove();
      if (queued) {
        next.leavesQueue(start);
      }
      apply(next);
    }
  }

  /// Ends the commands of a batch for which the medium had no place. No caller was told that it is
  /// stable, and the next batch goes to the same place. A crash before that leaves a last batch,
  /// torn or whole, of commands whose callers only heard that they found no space.
  ///
  /// @param head the command that is partly in the batch
  private void refuse(@Nullable Command head, DeviceException.NoSpace cause) {
    StorageException reason =
        new StorageException.OutOfSpace(
            "The medium of the pool has no place for the log: " + cause.getMessage());
    cut = null; // it is among them, and what of it is in the log is void
    if (head != null) {
      inBatch.add(head);
    }
    while (!inBatch.isEmpty()) {
      inBatch.remove().fail(reason);
    }
  }

  private boolean isAnyOfHost() {
    for (Command command : inBatch) {
      if (command.isOfHost()) {
        return true;
      }
    }
    return false;
  }

  private static void apply(Command command) {
    try {
      command.apply();
    } catch (
        StorageException e) { // the record is in the log, and a map that it needs does not read
      StorageException.DeviceFailed reason =
          new StorageException.DeviceFailed(
              "The pool stopped because a map could not be read: " + e.getMessage(), e);
      command.fail(reason);
      throw reason;
    } catch (RuntimeException | Error e) {
      command.fail(stopped(e));
      throw e;
    }
  }

  private Batch fill() {
    Batch batch = log.begin();
    boolean hasChange = false;
    while (!pending.isEmpty() && batch.payloadBlocks() < softLimitBlocks) {
      Command command = pending.peek();
      if (command.isChange() && hasChange) {
        break;
      }
      if (!command.admitted) {
        command.admitted = true;
        if (!command.admit()) {
          pending.remove();
          continue;
        }
      }
      if (command.append(batch)) {
        pending.remove();
        inBatch.add(command);
        hasChange |= command.isChange();
      } else if (!batch.isEmpty()) {
        break;
      } else if (log.advance()) {
        batch = log.begin();
      } else {
        pending.remove();
        cut = null; // what of it is in the log is void: nothing will continue it
        command.fail(
            new StorageException.OutOfSpace("expected a free zone for the log, found none"));
      }
    }
    return batch;
  }

  private void fatal(Throwable cause) {
    StorageException reason = stopped(cause);
    synchronized (lock) {
      failure = reason;
      stopping = true;
    }
    try {
      background.failed(reason);
    } catch (RuntimeException | Error e) {
      Errors.report(e);
    }
    failAll(reason);
  }

  private static StorageException stopped(Throwable cause) {
    return switch (cause) {
      case StorageException known -> known;
      case DeviceException device ->
          new StorageException.DeviceFailed(
              "The pool stopped because its log could not be written: " + device.getMessage(),
              device);
      default ->
          new StorageException.DeviceFailed(
              "The pool stopped because of an error of its own: " + cause, cause);
    };
  }

  private void failAll(StorageException reason) {
    List<Command> all = new ArrayList<>(inBatch);
    all.addAll(pending);
    synchronized (lock) {
      all.addAll(queue);
      queue.clear();
    }
    pending.clear();
    inBatch.clear();
    for (Command command : all) {
      try {
        command.fail(reason);
      } catch (RuntimeException | Error e) { // whoever asked; the others must hear all the same
        Errors.report(e);
      }
    }
  }
}
