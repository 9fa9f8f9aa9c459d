package io.coppice.engine;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The end of an I/O for the thread that made this, which may block. After [#reset] it serves
/// another I/O, of the thread that called it.
public final class AwaitedIo implements Completion {

  private Thread waiter = Thread.currentThread();
  private @Nullable StorageException failure; // published by `ended`
  private volatile boolean ended;

  /// Prepares for another I/O, of the calling thread, once [#await] has told the last one's end.
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

  /// Waits for the end, even if the thread is interrupted; an interrupt is kept for later.
  ///
  /// @return the failure of the I/O, absent if it succeeded
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
  /// @throws StorageException if the I/O failed
  void awaitSuccess() {
    StorageException reason = await();
    if (reason != null) {
      throw reason;
    }
  }
}
