package io.coppice.vasa.diagnosis;

import io.coppice.scsi.unit.IoTime;

/// The rates of what hosts read and write, and the mean time of a command by phase.
///
/// | Component | Meaning |
/// |---|---|
/// | `read`, `write` | what they read, and what they wrote |
/// | `deviceNanos`, `queueNanos`, `limitNanos` | mean of a command, a read or a write, by phase |
public record LoadRates(
    OpRates read, OpRates write, long deviceNanos, long queueNanos, long limitNanos) {

  private static final double NANOS_PER_SECOND = 1e9;

  /// The rates of reads or of writes.
  ///
  /// @param iops commands in a second
  /// @param bandwidth bytes in a second
  /// @param nanos mean time of a command; 0 if there was none
  public record OpRates(double iops, double bandwidth, long nanos) {

    private static OpRates of(Load.Part part, double seconds) {
      return seconds == 0
          ? new OpRates(0, 0, 0)
          : new OpRates(
              part.commands() / seconds,
              part.bytes() / seconds,
              part.nanos() / Math.max(1, part.commands()));
    }
  }

  /// The rates of a load within a time, all 0 if there was no time.
  static LoadRates of(Load load, long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    // A command that began before that time may end in it.
    long commands = Math.max(1, load.commands());
    IoTime time = nanos == 0 ? IoTime.NONE : load.time();
    return new LoadRates(
        OpRates.of(load.read(), seconds),
        OpRates.of(load.write(), seconds),
        time.deviceNanos() / commands,
        time.queueNanos() / commands,
        time.limitNanos() / commands);
  }

  /// Commands in a second.
  public double iops() {
    return read.iops() + write.iops();
  }

  /// Bytes in a second.
  public double bandwidth() {
    return read.bandwidth() + write.bandwidth();
  }

  /// Mean time of a command: all phases.
  public long nanos() {
    return deviceNanos + queueNanos + limitNanos;
  }
}
