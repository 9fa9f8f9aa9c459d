package io.coppice.scsi.task;

import io.coppice.scsi.page.CopyStatus;
import io.coppice.scsi.unit.LogicalUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A copy operation (SPC-4 §5.17.4.3), from its command until its outcome is forgotten. Safe for
/// any thread.
public final class CopyOperation {

  private final LogicalUnit unit;
  private final boolean background;
  private volatile CopyStatus status;
  private volatile byte @Nullable [] token;
  private volatile boolean cancelled;
  private @Nullable List<Runnable> waiting = new ArrayList<>(0); // guarded by this; null at the end

  /// @param unit the unit that got the command
  /// @param serviceAction of the command
  /// @param background whether the command is answered before the operation ends
  public CopyOperation(LogicalUnit unit, int serviceAction, boolean background) {
    this.unit = unit;
    this.background = background;
    this.status = CopyStatus.begun(serviceAction, background);
  }

  public LogicalUnit unit() {
    return unit;
  }

  public boolean isBackground() {
    return background;
  }

  public CopyStatus status() {
    return status;
  }

  /// Reports its progress.
  public void report(CopyStatus next) {
    status = next;
  }

  /// The token that POPULATE TOKEN made; null if it has not, or for another operation.
  public byte @Nullable [] token() {
    return token;
  }

  /// Ends it with a token.
  public void end(CopyStatus last, byte[] made) {
    token = made;
    end(last);
  }

  /// Ends it, once; nothing of it touches a volume any more.
  public void end(CopyStatus last) {
    List<Runnable> told;
    synchronized (this) {
      told = waiting;
      if (told == null) {
        return;
      }
      waiting = null;
      status = last;
    }
    told.forEach(Runnable::run);
  }

  boolean isEnded() {
    return status.state().isEnd();
  }

  /// Whether COPY OPERATION ABORT asked for its end.
  public boolean isCancelled() {
    return cancelled;
  }

  /// Makes it end soon.
  ///
  /// @param ended runs at its end
  /// @return false if it had ended: nothing runs
  public boolean cancel(Runnable ended) {
    synchronized (this) {
      if (waiting == null) {
        return false;
      }
      cancelled = true;
      waiting.add(ended);
      return true;
    }
  }
}
