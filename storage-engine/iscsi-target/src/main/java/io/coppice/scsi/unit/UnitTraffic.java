package io.coppice.scsi.unit;

import io.coppice.scsi.setting.MediumSettings;

/// The counts of what a unit read and wrote since it became reachable. Safe for any thread.
public final class UnitTraffic {

  private final IoCounts reads;
  private final IoCounts writes;

  /// @param ofReads those of all units
  /// @param ofWrites those of all units
  UnitTraffic(PhaseHistograms ofReads, PhaseHistograms ofWrites) {
    reads = new IoCounts(ofReads);
    writes = new IoCounts(ofWrites);
  }

  public IoCounts reads() {
    return reads;
  }

  public IoCounts writes() {
    return writes;
  }

  /// All of it, in bytes.
  Traffic counts() {
    return new Traffic(
        reads.commands(),
        writes.commands(),
        reads.blocks() * MediumSettings.LOGICAL_BLOCK_IN_BYTES,
        writes.blocks() * MediumSettings.LOGICAL_BLOCK_IN_BYTES,
        reads.nanos(),
        writes.nanos(),
        reads.time(),
        writes.time());
  }
}
