package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Initiators that break the rules of iSCSI: more often than a number within 15 minutes.
public final class ViolationSource implements AlertSource {

  private static final Duration WINDOW = Duration.ofMinutes(15);

  /// Samples kept; with a shorter period the window is shorter.
  private static final int MOST_SAMPLES = 1000;

  private record Sample(long nanos, long total) {}

  private final LongSupplier total;
  private final long most;
  private final AlertSubject system;
  private final LongSupplier nanos;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /// @param total violations since the start
  /// @param most violations within the window that are no alert
  /// @param nanos time that passed, as [System#nanoTime]
  public ViolationSource(LongSupplier total, long most, AlertSubject system, LongSupplier nanos) {
    this.total = total;
    this.most = most;
    this.system = system;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "violations";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    Sample now = new Sample(nanos.getAsLong(), total.getAsLong());
    samples.addLast(now);
    while (samples.size() > MOST_SAMPLES
        || now.nanos() - samples.getFirst().nanos() > WINDOW.toNanos()) {
      samples.removeFirst();
    }
    long count = now.total() - samples.getFirst().total();
    if (count <= most) {
      return List.of();
    }
    return List.of(
        new AlertFinding(
            "violations",
            AlertSeverity.WARNING,
            system,
            "IscsiViolations",
            Map.of("count", "" + count)));
  }
}
