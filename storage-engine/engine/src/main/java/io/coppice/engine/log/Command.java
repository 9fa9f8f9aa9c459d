package io.coppice.engine.log;

import io.coppice.engine.StorageException;

/// A command that becomes one or several records of the log. The committer calls all methods but
/// the constructor, in this order: [#admit], [#append] until it returns true, then, when all its
/// records are stable, [#apply]. Or it calls [#fail] once at any point.
public abstract class Command {

  boolean admitted;

  /// Makes [#admit] be called again, before the command is submitted once more.
  protected final void readmit() {
    admitted = false;
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
