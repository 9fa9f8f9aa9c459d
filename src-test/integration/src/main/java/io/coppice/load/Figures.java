package io.coppice.load;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Latencies, errors and repetitions of a run. Safe for several threads.
public final class Figures {

  private static final int MOST_ERRORS = 1000;

  private final Map<String, List<Long>> nanos = new TreeMap<>();
  private final List<String> errors = new ArrayList<>();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();

  /// What the runs of one operation took, in milliseconds.
  public record Line(String operation, int count, double median, double p99, double max) {}

  public synchronized void ended(String operation, long took) {
    nanos.computeIfAbsent(operation, _ -> new ArrayList<>()).add(took);
  }

  public synchronized void failed(String operation, Throwable why) {
    if (errors.size() < MOST_ERRORS) {
      errors.add(operation + ": " + why);
    }
  }

  void repeated() {
    repeated.incrementAndGet();
  }

  /// An operation ended, but had to wait for the provider to come back.
  void held() {
    held.incrementAndGet();
  }

  void busy() {
    busy.incrementAndGet();
  }

  /// Calls that a kill cut short and that were settled and repeated.
  public int repetitions() {
    return repeated.get();
  }

  /// Calls that were answered VasaProviderBusy and came again.
  public int busyAnswers() {
    return busy.get();
  }

  /// Operations that ended and have no latency, because the provider was stopped meanwhile.
  public int heldOperations() {
    return held.get();
  }

  public synchronized List<String> errors() {
    return List.copyOf(errors);
  }

  /// All that ended.
  public synchronized int operations() {
    return held.get() + nanos.values().stream().mapToInt(List::size).sum();
  }

  public synchronized List<Line> lines() {
    return nanos.entrySet().stream().map(each -> line(each.getKey(), each.getValue())).toList();
  }

  /// The figures of each operation as rows of a table.
  public void print(PrintStream out) {
    out.printf("%n| Operation | Count | Median | p99 | Max |%n|---|---|---|---|---|%n");
    for (Line line : lines()) {
      out.printf(
          "| %s | %d | %.1f ms | %.1f ms | %.1f ms |%n",
          line.operation(), line.count(), line.median(), line.p99(), line.max());
    }
  }

  private static Line line(String operation, List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return new Line(
        operation,
        sorted.size(),
        millis(sorted, 50),
        millis(sorted, 99),
        sorted.getLast() / (double) Duration.ofMillis(1).toNanos());
  }

  private static double millis(List<Long> sorted, int percent) {
    int index = Math.min(sorted.size() - 1, (int) ((long) sorted.size() * percent / 100));
    return sorted.get(index) / (double) Duration.ofMillis(1).toNanos();
  }
}
