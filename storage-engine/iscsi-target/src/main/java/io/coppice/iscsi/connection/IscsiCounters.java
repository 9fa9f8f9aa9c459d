package io.coppice.iscsi.connection;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// The counts of a target node since its start. Safe for any thread.
public final class IscsiCounters {

  private final Map<PeerFault, LongAdder> faults = new EnumMap<>(PeerFault.class);
  private final LongAdder logins = new LongAdder();
  private final LongAdder redirects = new LongAdder();

  public IscsiCounters() {
    for (PeerFault fault : PeerFault.values()) {
      faults.put(fault, new LongAdder());
    }
  }

  public void count(PeerFault fault) {
    LongAdder counter = faults.get(fault);
    if (counter != null) {
      counter.increment();
    }
  }

  public void countLogin() {
    logins.increment();
  }

  public void countRedirect() {
    redirects.increment();
  }

  public long of(PeerFault fault) {
    LongAdder counter = faults.get(fault);
    return counter == null ? 0 : counter.sum();
  }

  /// Sessions that reached the full feature phase.
  public long logins() {
    return logins.sum();
  }

  /// Logins that were sent to another portal.
  public long redirects() {
    return redirects.sum();
  }
}
