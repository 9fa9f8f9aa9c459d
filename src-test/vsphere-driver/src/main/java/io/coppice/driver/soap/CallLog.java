package io.coppice.driver.soap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All calls of any number of clients, in the order of their ends. Safe for several threads.
public final class CallLog {
  private final List<CallRecord> records = new ArrayList<>();

  /// A summary of the calls of one operation. Latencies are in nanoseconds.
  public record Summary(String operation, int calls, int faults, long medianNanos, long maxNanos) {}

  synchronized void add(CallRecord call) {
    records.add(call);
  }

  /// A position to give to [#since].
  public synchronized int mark() {
    return records.size();
  }

  /// The calls after `mark`.
  public synchronized List<CallRecord> since(int mark) {
    return List.copyOf(records.subList(mark, records.size()));
  }

  /// One line for each operation called after `mark`, in the order of the first calls.
  public List<Summary> summary(int mark) {
    Map<String, List<CallRecord>> byOperation = new LinkedHashMap<>();
    for (CallRecord call : since(mark)) {
      byOperation.computeIfAbsent(call.operation(), name -> new ArrayList<>()).add(call);
    }
    List<Summary> lines = new ArrayList<>();
    byOperation.forEach((operation, calls) -> lines.add(summarize(operation, calls)));
    return lines;
  }

  private static Summary summarize(String operation, List<CallRecord> calls) {
    long[] nanos = calls.stream().mapToLong(CallRecord::nanos).sorted().toArray();
    int faults = (int) calls.stream().filter(call -> !call.outcome().equals(CallRecord.OK)).count();
    return new Summary(
        operation, calls.size(), faults, nanos[nanos.length / 2], nanos[nanos.length - 1]);
  }
}
