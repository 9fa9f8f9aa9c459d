package io.coppice.engine.log;

/// The source of the log's zones. Committer only.
public interface LogZones {

  /// Takes a free zone, or -1.
  int takeZone();

  /// An id for the segment that the zone becomes.
  int newSegment();

  /// Notes that the first batch goes into this segment now.
  void opened(int segment, int zone);

  /// Notes that no further batch goes into it.
  void sealed(int segment);
}
