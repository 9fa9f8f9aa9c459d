package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// The ledgers of what hosts let the target do instead of moving the data themselves.
public interface Offloads {

  /// The ledger of every volume that somebody reaches now, counted since it became reachable.
  Map<VolumeId, OffloadLedger> byVolume();
}
