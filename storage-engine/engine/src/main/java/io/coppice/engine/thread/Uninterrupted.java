package io.coppice.engine.thread;

/// A wait for something that certainly comes, and that the thread needs before it may go on. An
/// interrupt does not end it: it is kept, and set again at the end.
public final class Uninterrupted {

  private Uninterrupted() {}

  /// A wait that goes on when it is begun anew after an interrupt.
  @FunctionalInterface
  public interface Wait {
    void run() throws InterruptedException;
  }

  /// Returns when `wait` has returned.
  public static void await(Wait wait) {
    boolean interrupted = false;
    while (true) {
      try {
        wait.run();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for the end of a thread; one that was never started has ended.
  public static void join(Thread thread) {
    await(thread::join);
  }
}
