package io.coppice.engine;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The end of an I/O for the thread that made this, which may block; then of another one, of the
/// thread that calls [#reset].
public final class AwaitedIo implements Completion {

  private Thread waiter = Thread.currentThread();
  private @Nullable StorageException failure; // published by `ended`
  private volatile boolean ended;

  /// For another I/O, of the calling thread: after [#await] has told the end of the one before.
  public void reset() {
    waiter = Thread.currentThread();
    failure = null;
    ended = false;
  }

  @Override
  public void succeeded() {
    Thread told = waiter; // once it is told, this may be another one's
    ended = true;
    if (!Thread.currentThread().equals(told)) {
      LockSupport.unpark(told);
    }
  }

  @Override
  public void failed(StorageException reason) {
    failure = reason;
    succeeded();
  }

  /// Waits for the end, whatever interrupts the thread; an interrupt is kept for later.
  ///
  /// @return what the I/O failed with, absent if it is done
  public @Nullable StorageException await() {
    boolean interrupted = false;
    while (!ended) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }

  /// As [#await].
  ///
  /// @throws StorageException as the I/O failed
  void awaitSuccess() {
    StorageException reason = await();
    if (reason != null) {
      throw reason;
    }
  }
}
