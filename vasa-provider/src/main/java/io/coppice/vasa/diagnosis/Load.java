package io.coppice.vasa.diagnosis;

import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;

/// The load that hosts were within some time. Every figure is 0 or more.
///
/// @param commands that began
/// @param bytes that they were to move
/// @param time of those that ended, by phase
record Load(long commands, long bytes, IoTime time) {

  static final Load NONE = new Load(0, 0, IoTime.NONE);

  /// What came between two counts of a volume. If the later one is less in anything, the volume was
  /// reached anew in between, and its count began at 0 then.
  static Load between(Traffic before, Traffic after) {
    Load earlier = of(before);
    Load later = of(after);
    Load grown =
        new Load(
            later.commands - earlier.commands,
            later.bytes - earlier.bytes,
            new IoTime(
                later.time.totalNanos() - earlier.time.totalNanos(),
                later.time.limitNanos() - earlier.time.limitNanos(),
                later.time.queueNanos() - earlier.time.queueNanos()));
    return grown.isPossible() ? grown : later;
  }

  private static Load of(Traffic counts) {
    return new Load(
        counts.reads() + counts.writes(),
        counts.bytesRead() + counts.bytesWritten(),
        counts.readTime().plus(counts.writeTime()));
  }

  private boolean isPossible() {
    return commands >= 0
        && bytes >= 0
        && time.totalNanos() >= 0
        && time.limitNanos() >= 0
        && time.queueNanos() >= 0;
  }

  /// Whether nothing began and nothing ended.
  boolean isIdle() {
    return commands == 0 && time.totalNanos() == 0;
  }

  Load plus(Load other) {
    return new Load(commands + other.commands, bytes + other.bytes, time.plus(other.time));
  }
}
