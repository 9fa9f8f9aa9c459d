package io.coppice.driver.iscsi;

import java.util.concurrent.atomic.LongAdder;

/// Counts what crosses the wire. One object may serve several sessions; safe for all threads.
///
/// Bytes are those of the data segments of SCSI data: immediate data, Data-Out and Data-In.
/// Headers, padding, sense data and text are not among them.
public final class WireCounters {
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder commands = new LongAdder();

  /// A reading of all counters.
  public record Reading(long bytesOut, long bytesIn, long commands) {
    /// What was added since `earlier`.
    public Reading since(Reading earlier) {
      return new Reading(
          bytesOut - earlier.bytesOut, bytesIn - earlier.bytesIn, commands - earlier.commands);
    }

    /// Bytes both ways.
    public long bytes() {
      return bytesOut + bytesIn;
    }
  }

  public Reading read() {
    return new Reading(bytesOut.sum(), bytesIn.sum(), commands.sum());
  }

  void sent(long bytes) {
    bytesOut.add(bytes);
  }

  void received(long bytes) {
    bytesIn.add(bytes);
  }

  void command() {
    commands.increment();
  }
}
