package io.coppice.cli.command;

import io.coppice.api.iscsi.TrafficCount;
import io.coppice.api.iscsi.TrafficTotal;
import io.coppice.api.iscsi.VolumeTraffic;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rate at which hosts used a volume, or all of them, between two looks.
///
/// @param vvol null for all of them
record TrafficRate(@Nullable UUID vvol, @Nullable String name, Direction read, Direction write) {

  private static final TrafficCount NOTHING = new TrafficCount(0, 0, 0);

  /// The rate of one direction.
  ///
  /// @param iops commands a second
  /// @param bandwidth bytes a second
  /// @param latency mean time of a command in microseconds; 0 if there was none
  record Direction(double iops, double bandwidth, double latency) {

    /// A counter that went down began again at 0: its volume was out of reach in between.
    static Direction between(TrafficCount before, TrafficCount now, double seconds) {
      TrafficCount from = now.commands() < before.commands() ? NOTHING : before;
      long commands = now.commands() - from.commands();
      if (seconds <= 0 || commands <= 0) {
        return new Direction(0, 0, 0);
      }
      return new Direction(
          commands / seconds,
          (now.bytes() - from.bytes()) / seconds,
          (double) (now.time() - from.time()) / commands);
    }
  }

  /// @param before null if nobody reached the volume then: its counters began at 0 since, and the
  ///   rate is not known yet
  static TrafficRate between(@Nullable VolumeTraffic before, VolumeTraffic now) {
    VolumeTraffic from = before == null ? now : before;
    double seconds = seconds(from.at(), now.at());
    return new TrafficRate(
        now.vvol(),
        now.name(),
        Direction.between(from.read(), now.read(), seconds),
        Direction.between(from.write(), now.write(), seconds));
  }

  static TrafficRate between(TrafficTotal before, TrafficTotal now) {
    double seconds = seconds(before.at(), now.at());
    return new TrafficRate(
        null,
        null,
        Direction.between(before.read(), now.read(), seconds),
        Direction.between(before.write(), now.write(), seconds));
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  double iops() {
    return read.iops() + write.iops();
  }

  double bandwidth() {
    return read.bandwidth() + write.bandwidth();
  }

  /// Mean time of a command of either direction in microseconds.
  double latency() {
    double all = iops();
    return all == 0 ? 0 : (read.latency() * read.iops() + write.latency() * write.iops()) / all;
  }
}
