package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// What hosts let the target do instead of moving the data themselves.
public interface Offloads {

  /// Of every volume that somebody reaches now; counted since it became reachable.
  Map<VolumeId, OffloadLedger> byVolume();
}
