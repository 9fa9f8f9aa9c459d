package io.coppice.engine.log;

import io.coppice.engine.StorageException;

/// Something that becomes one or several records of the log. All methods but the constructor and
/// [#refuse] are called by the committer, in this order: [#admit], [#append] until it says true,
/// then, when all its records are stable, [#apply]; or [#fail] once at any point.
public abstract class Command {

  boolean admitted;

  /// Has [#admit] called again: before the command is submitted once more.
  protected void readmit() {
    admitted = false;
  }

  /// Ends the command unsuccessfully while the committer does not hold it: before it was submitted,
  /// or after [#admit] has put it aside.
  public final void refuse(StorageException reason) {
    fail(reason);
  }

  /// Last chance to refuse, with everything before this command's batch applied.
  ///
  /// @return false if the command has ended or been put aside, and writes nothing now
  protected abstract boolean admit();

  /// Adds as much as fits to the batch.
  ///
  /// @return whether the command is complete; if not, it is called again for the next batch
  protected abstract boolean append(Batch batch);

  /// Notes that the last part appended is stable; called for each batch that carries a part.
  protected void stable() {}

  /// Notes that a batch that carries a part of it began at that time of [System#nanoTime], after
  /// the command had waited in the committer's queue.
  protected void leavesQueue(long at) {}

  /// Changes the state, when everything of this command is stable.
  protected abstract void apply();

  /// Ends the command unsuccessfully.
  protected abstract void fail(StorageException failure);

  /// Whether a host waits for it.
  protected boolean isOfHost() {
    return true;
  }

  /// Whether this command judges the state in [#admit]. Then its batch may have no other such
  /// command.
  protected boolean isChange() {
    return false;
  }
}
