package io.coppice.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/// A list of things to undo at the end, the last first: also when the process is told to end.
public final class Leftovers implements AutoCloseable {

  /// Something to undo.
  public interface Undo {

    void run() throws Exception;
  }

  private record Entry(String what, Undo undo) {}

  private final Deque<Entry> entries = new ArrayDeque<>(); // guarded by this
  private volatile boolean ending;

  public Leftovers() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "coppice-bench-leftovers"));
  }

  /// @param what it does, for the sentence when it fails
  public synchronized void add(String what, Undo undo) {
    entries.push(new Entry(what, undo));
  }

  // Programs that still use a file system would keep it mounted.
  private void end() {
    ending = true;
    for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
      child.destroyForcibly();
      child.onExit().completeOnTimeout(child, 10, TimeUnit.SECONDS).join();
    }
    close();
  }

  /// Whether the process has been told to end.
  public boolean isEnding() {
    return ending;
  }

  @Override
  public void close() {
    undoTo(0);
  }

  public synchronized int mark() {
    return entries.size();
  }

  /// Undoes what was added since [#mark] gave `mark`.
  public synchronized void undoTo(int mark) {
    while (entries.size() > mark) {
      Entry entry = entries.pop();
      try {
        entry.undo.run();
      } catch (Exception e) {
        System.err.println("could not " + entry.what + ": " + e);
      }
    }
  }
}
