package io.coppice.scsi.copy;

import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.parameter.RangeList;
import java.util.List;

/// The data that a ROD token stands for: some ranges of a snapshot that nobody else sees.
/// Everything else is guarded by the [RodTokens] that has it.
final class TokenData {

  private final byte[] token;
  private final Volume snapshot;
  private final VolumeId source;
  private final String owner;
  private final List<RangeList.Range> ranges;
  private final long bytes;
  private final long timeout;
  private final long end;

  /// The time of its last use, in nanoseconds of the alarm.
  long used;

  /// Commands that use it now.
  int users;

  /// Whether it goes when those commands have ended.
  boolean gone;

  /// @param source the volume that the data belonged to
  /// @param owner the initiator that made it
  /// @param timeout nanoseconds without use
  /// @param end nanoseconds of the alarm at which it goes in any case
  TokenData(
      byte[] token,
      Volume snapshot,
      VolumeId source,
      String owner,
      List<RangeList.Range> ranges,
      long timeout,
      long end) {
    this.token = token;
    this.snapshot = snapshot;
    this.source = source;
    this.owner = owner;
    this.ranges = ranges;
    this.bytes = RodTokens.bytes(ranges);
    this.timeout = timeout;
    this.end = end;
  }

  byte[] token() {
    return token;
  }

  Volume snapshot() {
    return snapshot;
  }

  VolumeId source() {
    return source;
  }

  String owner() {
    return owner;
  }

  /// The ranges in the order in which the initiator gave them.
  List<RangeList.Range> ranges() {
    return ranges;
  }

  /// NUMBER OF BYTES REPRESENTED.
  long bytes() {
    return bytes;
  }

  /// The time at which it goes if nobody uses it.
  long deadline() {
    return Math.min(used + timeout, end);
  }
}
