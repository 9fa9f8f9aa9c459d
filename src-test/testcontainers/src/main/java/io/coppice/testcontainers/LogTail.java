package io.coppice.testcontainers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.testcontainers.containers.output.OutputFrame;

/// The last lines that a container has written. They outlive it: Testcontainers removes a container
/// that did not start.
final class LogTail implements Consumer<OutputFrame> {

  private static final int LINES = 20;
  private static final int END_LIMIT_SECONDS = 5;

  private final Deque<String> lines = new ArrayDeque<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @Override
  public void accept(OutputFrame frame) {
    if (frame.getType() == OutputFrame.OutputType.END) {
      end.countDown();
      return;
    }
    frame.getUtf8String().lines().forEach(this::add);
  }

  private synchronized void add(String line) {
    if (lines.size() == LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  /// The last lines of a container that has ended. Waits for those that are still on their way.
  List<String> atEnd() {
    try {
      end.await(END_LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return List.copyOf(lines);
    }
  }
}
