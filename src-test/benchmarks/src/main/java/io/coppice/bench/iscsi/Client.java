package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import java.time.Duration;

/// An initiator that keeps a load on a logical unit.
interface Client extends AutoCloseable {

  /// The result of a run.
  ///
  /// @param ended I/Os that ended GOOD; any other end is an exception
  /// @param perSecond of them
  /// @param cpu the client's user and system time
  record Run(long ended, double perSecond, Duration cpu) {}

  String name();

  /// @throws io.coppice.harness.Mismatch if an I/O fails
  Run run(Side side, Load load, Duration time);

  @Override
  void close();
}
