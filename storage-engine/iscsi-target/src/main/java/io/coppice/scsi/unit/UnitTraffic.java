package io.coppice.scsi.unit;

import io.coppice.scsi.setting.MediumSettings;
import java.util.concurrent.atomic.LongAdder;

/// The counts of what a unit read and wrote since it became reachable. Safe for any thread; an
/// addition costs a few nanoseconds and allocates nothing.
public final class UnitTraffic {

  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder blocksSent = new LongAdder();
  private final LongAdder blocksReceived = new LongAdder();
  private final LongAdder readNanos = new LongAdder();
  private final LongAdder writeNanos = new LongAdder();

  /// Counts a command that reads and begins now.
  ///
  /// @return where its time is added at its end
  public LongAdder read(long blocks) {
    reads.increment();
    blocksSent.add(blocks);
    return readNanos;
  }

  /// Counts a command that writes and begins now.
  ///
  /// @return where its time is added at its end
  public LongAdder written(long blocks) {
    writes.increment();
    blocksReceived.add(blocks);
    return writeNanos;
  }

  public long reads() {
    return reads.sum();
  }

  public long writes() {
    return writes.sum();
  }

  public long blocksSent() {
    return blocksSent.sum();
  }

  public long blocksReceived() {
    return blocksReceived.sum();
  }

  /// All of it, in bytes.
  Traffic counts() {
    return new Traffic(
        reads(),
        writes(),
        blocksSent() * MediumSettings.LOGICAL_BLOCK_IN_BYTES,
        blocksReceived() * MediumSettings.LOGICAL_BLOCK_IN_BYTES,
        readNanos.sum(),
        writeNanos.sum());
  }
}
