package io.coppice.vasa.history;

import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.history.file.Record;

/// The counters of a volume, of an initiator, or of all volumes, at one moment. The only place that
/// reads [Traffic].
///
/// Times are in nanoseconds, added up over all commands. The time of a command is its wait for a
/// limit, its wait in the queue, and the device's.
record Totals(
    long reads, long writes, long bytesRead, long bytesWritten, Times ofReads, Times ofWrites) {

  /// The times of one direction.
  record Times(long device, long queue, long limit) {

    Times minus(Times before) {
      return new Times(device - before.device, queue - before.queue, limit - before.limit);
    }

    Times plus(Times other) {
      return new Times(device + other.device, queue + other.queue, limit + other.limit);
    }

    long all() {
      return device + queue + limit;
    }
  }

  private static final Times NO_TIME = new Times(0, 0, 0);
  static final Totals NONE = new Totals(0, 0, 0, 0, NO_TIME, NO_TIME);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  static Totals of(Traffic traffic) {
    return new Totals(
        traffic.reads(),
        traffic.writes(),
        traffic.bytesRead(),
        traffic.bytesWritten(),
        times(traffic.readTime()),
        times(traffic.writeTime()));
  }

  private static Times times(IoTime time) {
    return new Times(time.deviceNanos(), time.queueNanos(), time.limitNanos());
  }

  /// What came since. A count that went down began again at 0: its volume was out of reach in
  /// between.
  Totals since(Totals before) {
    if (reads < before.reads || writes < before.writes) {
      return this;
    }
    return new Totals(
        reads - before.reads,
        writes - before.writes,
        Math.max(0, bytesRead - before.bytesRead),
        Math.max(0, bytesWritten - before.bytesWritten),
        ofReads.minus(before.ofReads),
        ofWrites.minus(before.ofWrites));
  }

  Totals plus(Totals other) {
    return new Totals(
        reads + other.reads,
        writes + other.writes,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten,
        ofReads.plus(other.ofReads),
        ofWrites.plus(other.ofWrites));
  }

  boolean isIdle() {
    return reads <= 0 && writes <= 0;
  }

  /// The record of this traffic within some time.
  short[] record(long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    return Record.traffic(
        new double[] {
          reads / seconds,
          writes / seconds,
          bytesRead / seconds,
          bytesWritten / seconds,
          mean(ofReads.device, reads),
          mean(ofWrites.device, writes),
          mean(ofReads.queue, reads),
          mean(ofWrites.queue, writes),
          mean(ofReads.limit, reads),
          mean(ofWrites.limit, writes),
          mean(ofReads.all(), reads),
          mean(ofWrites.all(), writes)
        });
  }

  private static double mean(long nanos, long commands) {
    return commands <= 0 ? 0 : Math.max(0, nanos) / NANOS_PER_MICRO / commands;
  }
}
