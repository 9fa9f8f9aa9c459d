package io.coppice.scsi.unit;

import io.coppice.scsi.setting.MediumSettings;

/// The counts of what was read and written: at a unit since it became reachable, or by an initiator
/// since its first session opened. Safe for any thread.
public final class ReadsAndWrites {

  private final IoCounts reads;
  private final IoCounts writes;

  /// Counts that are in no histogram.
  ReadsAndWrites() {
    reads = new IoCounts(null);
    writes = new IoCounts(null);
  }

  /// @param ofReads those of all units
  /// @param ofWrites those of all units
  ReadsAndWrites(PhaseHistograms ofReads, PhaseHistograms ofWrites) {
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
