package io.coppice.driver.soap;

import java.util.ArrayList;
import java.util.List;

/// All calls of any number of clients, in the order of their ends. Safe for several threads.
public final class CallLog {
  private final List<CallRecord> records = new ArrayList<>();

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
}
