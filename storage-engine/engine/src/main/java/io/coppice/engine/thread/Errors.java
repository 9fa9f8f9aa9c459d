package io.coppice.engine.thread;

/// The handling of errors that belong to no caller.
public final class Errors {

  private Errors() {}

  /// Tells the thread's handler of uncaught exceptions, which prints it; never throws, so that the
  /// thread goes on.
  public static void report(Throwable error) {
    Thread self = Thread.currentThread();
    try {
      self.getUncaughtExceptionHandler().uncaughtException(self, error);
    } catch (RuntimeException | Error e) {
      // Not even that can be said: there is no memory for a sentence.
    }
  }
}
