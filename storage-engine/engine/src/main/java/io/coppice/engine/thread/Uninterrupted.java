package io.coppice.engine.thread;

/// Waiting for what certainly comes, and has to come before the thread may go on. An interrupt does
/// not end it: it is kept, and set again at the end.
public final class Uninterrupted {

  private Uninterrupted() {}

  /// Something that waits, and goes on waiting when it is begun anew after an interrupt.
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
