package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// The ledgers of what hosts let the target do instead of moving the data themselves, since the
/// provider started. Safe for any thread.
public interface Offloads {

  /// The ledger of every volume that somebody reaches now, counted since it became reachable.
  Map<VolumeId, OffloadLedger> byVolume();

  /// The offloads to all volumes together, including those that nobody reaches any more: each
  /// figure only grows. Kinds that nobody tried are missing.
  Map<OffloadLedger.Kind, OffloadLedger.Entry> inAll();
}
