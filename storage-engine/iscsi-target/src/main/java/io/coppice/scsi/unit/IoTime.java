package io.coppice.scsi.unit;

/// The time of reads or of writes from their arrival at the logical unit to their answers, added up
/// over those that have ended, in nanoseconds.
///
/// | Component | Meaning |
/// |---|---|
/// | `totalNanos` | all of it |
/// | `limitNanos` | held back by a limit of the volume or its group |
/// | `queueNanos` | waited for others: for its turn in the task set, and in the engine for an I/O that overlaps, a thread, a batch of the log or a place in the queue of a device |
public record IoTime(long totalNanos, long limitNanos, long queueNanos) {

  public static final IoTime NONE = new IoTime(0, 0, 0);

  /// The rest: the device, and the work for the command itself. Never negative.
  public long deviceNanos() {
    return Math.max(0, totalNanos - limitNanos - queueNanos);
  }

  /// The sum of both.
  public IoTime plus(IoTime other) {
    return new IoTime(
        totalNanos + other.totalNanos,
        limitNanos + other.limitNanos,
        queueNanos + other.queueNanos);
  }
}
