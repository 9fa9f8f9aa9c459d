package io.coppice.engine;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The end of one I/O for the thread that made this, which may block.
public final class AwaitedIo implements Completion {

  private final Thread waiter = Thread.currentThread();
  private @Nullable StorageException failure; // published by `ended`
  private volatile boolean ended;

  @Override
  public void succeeded() {
    ended = true;
    if (!Thread.currentThread().equals(waiter)) {
      LockSupport.unpark(waiter);
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
      waiter.interrupt();
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
