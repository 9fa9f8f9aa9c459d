package io.coppice.load;

import io.coppice.kit.Latencies;
import io.coppice.kit.Markdown;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Latencies, errors and repetitions of a run. Safe for several threads.
public final class Figures {

  private static final int MOST_ERRORS = 1000;

  private final Map<String, Latencies> latencies = new TreeMap<>();
  private final List<String> errors = new ArrayList<>();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();

  /// The times of one operation, in milliseconds.
  public record Line(String operation, long count, double median, double p99, double max) {}

  public synchronized void ended(String operation, long took) {
    latencies.computeIfAbsent(operation, _ -> Latencies.forOneThread()).record(took);
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
    return held.get()
        + Math.toIntExact(latencies.values().stream().mapToLong(Latencies::total).sum());
  }

  public synchronized List<Line> lines() {
    return latencies.entrySet().stream().map(each -> line(each.getKey(), each.getValue())).toList();
  }

  /// The figures of each operation as rows of a table.
  public void print(PrintStream out) {
    out.print("\n" + Markdown.header("Operation", "Count", "Median", "p99", "Max"));
    for (Line line : lines()) {
      out.print(
          Markdown.row(
              line.operation(),
              line.count(),
              "%.1f ms".formatted(line.median()),
              "%.1f ms".formatted(line.p99()),
              "%.1f ms".formatted(line.max())));
    }
  }

  private static Line line(String operation, Latencies took) {
    return new Line(operation, took.total(), took.millis(50), took.millis(99), took.millis(100));
  }
}
