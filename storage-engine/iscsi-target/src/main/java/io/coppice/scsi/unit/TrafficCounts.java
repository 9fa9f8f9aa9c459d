package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// The counts of what hosts read and wrote since the provider started. Safe for any thread.
public interface TrafficCounts {

  /// The traffic of every volume that somebody reaches now, counted since it became reachable.
  Map<VolumeId, Traffic> byVolume();

  /// The traffic of every initiator that has a session now, and of others that had one and read or
  /// wrote something, by lower-case iSCSI names. Of the others there are at most
  /// [io.coppice.scsi.setting.ScsiLimits#goneInitiators]; one that is forgotten begins at 0 when it
  /// comes back.
  Map<String, Traffic> byInitiator();

  /// The traffic of all volumes together, including those that nobody reaches any more: it only
  /// grows.
  Traffic inAll();

  /// The reads of all volumes by how long their phases took; as [#inAll], it only grows.
  PhaseCounts readPhases();

  /// The writes of all volumes by how long their phases took; as [#inAll], it only grows.
  PhaseCounts writePhases();
}
