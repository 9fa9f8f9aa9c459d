package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;
import java.util.HashMap;
import java.util.Map;

/// The load that hosts were within some time. Every figure is 0 or more.
///
/// @param read what they read
/// @param write what they wrote
/// @param time of both, of those that ended, by phase
record Load(Part read, Part write, IoTime time) {

  static final Load NONE = new Load(Part.NONE, Part.NONE, IoTime.NONE);

  /// The reads or the writes.
  ///
  /// @param commands that began
  /// @param bytes that they were to move
  /// @param nanos time of those that ended
  record Part(long commands, long bytes, long nanos) {

    private static final Part NONE = new Part(0, 0, 0);

    private Part plus(Part other) {
      return new Part(commands + other.commands, bytes + other.bytes, nanos + other.nanos);
    }

    private Part minus(Part other) {
      return new Part(commands - other.commands, bytes - other.bytes, nanos - other.nanos);
    }

    private boolean isPossible() {
      return commands >= 0 && bytes >= 0 && nanos >= 0;
    }
  }

  /// What came between two counts of a volume. If the later one is less in anything, the volume was
  /// reached anew in between, and its count began at 0 then.
  static Load between(Traffic before, Traffic after) {
    Load earlier = of(before);
    Load later = of(after);
    Load grown =
        new Load(
            later.read.minus(earlier.read),
            later.write.minus(earlier.write),
            new IoTime(
                later.time.totalNanos() - earlier.time.totalNanos(),
                later.time.limitNanos() - earlier.time.limitNanos(),
                later.time.queueNanos() - earlier.time.queueNanos()));
    return grown.isPossible() ? grown : later;
  }

  /// What came between two counts of all volumes, without those that were idle.
  static Map<VolumeId, Load> between(Map<VolumeId, Traffic> before, Map<VolumeId, Traffic> after) {
    Map<VolumeId, Load> loads = new HashMap<>();
    after.forEach(
        (volume, counts) -> {
          Load load = between(before.getOrDefault(volume, Traffic.NONE), counts);
          if (!load.isIdle()) {
            loads.put(volume, load);
          }
        });
    return loads;
  }

  private static Load of(Traffic counts) {
    return new Load(
        new Part(counts.reads(), counts.bytesRead(), counts.readTime().totalNanos()),
        new Part(counts.writes(), counts.bytesWritten(), counts.writeTime().totalNanos()),
        counts.readTime().plus(counts.writeTime()));
  }

  private boolean isPossible() {
    return read.isPossible()
        && write.isPossible()
        && time.totalNanos() >= 0
        && time.limitNanos() >= 0
        && time.queueNanos() >= 0;
  }

  long commands() {
    return read.commands + write.commands;
  }

  long bytes() {
    return read.bytes + write.bytes;
  }

  /// Whether nothing began and nothing ended.
  boolean isIdle() {
    return commands() == 0 && time.totalNanos() == 0;
  }

  Load plus(Load other) {
    return new Load(read.plus(other.read), write.plus(other.write), time.plus(other.time));
  }
}
