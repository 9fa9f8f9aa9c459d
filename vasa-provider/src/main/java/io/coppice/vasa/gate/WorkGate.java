package io.coppice.vasa.gate;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/// The gate that all work of the control plane passes: calls that may change something, rounds of
/// housekeeping, slices of background copies.
///
/// Recovery looks at operations that have begun and undoes those that were cut short. So nothing
/// that may begin or end one can run beside it. The gate is closed when the database goes, and
/// recovery begins when everyone who came in before has left.
///
/// Closed at first. Safe for any thread.
@Component
public final class WorkGate {

  private boolean open;
  private boolean ended;
  private int inside;

  /// The right to be inside, until it is closed by any thread. Closing it again does nothing.
  public final class Pass implements AutoCloseable {
    private final AtomicBoolean left = new AtomicBoolean();

    private Pass() {}

    @Override
    public void close() {
      if (!left.getAndSet(true)) {
        leave();
      }
    }
  }

  /// @return empty while the gate is closed
  public synchronized Optional<Pass> tryEnter() {
    if (!open) {
      return Optional.empty();
    }
    inside++;
    return Optional.of(new Pass());
  }

  /// @throws VasaException (VasaProviderBusy) while the gate is closed
  public Pass enter() {
    return tryEnter().orElseThrow(() -> VasaException.busy("the control plane does not answer"));
  }

  /// Waits until the gate is open.
  ///
  /// @return empty if it will not open any more, or the thread was interrupted
  public synchronized Optional<Pass> enterWhenOpen() {
    try {
      while (!open && !ended) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return tryEnter();
  }

  private synchronized void leave() {
    inside--;
    notifyAll();
  }

  /// Lets everybody in.
  public synchronized void open() {
    open = !ended;
    notifyAll();
  }

  /// Lets nobody in; those inside go on.
  public synchronized void close() {
    open = false;
  }

  public synchronized boolean isOpen() {
    return open;
  }

  /// Closes it for good; those that wait for it go on without a pass.
  public synchronized void end() {
    ended = true;
    open = false;
    notifyAll();
  }

  /// The number of passes inside.
  public synchronized int inside() {
    return inside;
  }

  /// Waits until nobody is inside; useful once the gate is closed.
  ///
  /// @return whether nobody is
  public synchronized boolean awaitEmpty(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (inside > 0 && end - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return inside == 0;
  }
}
