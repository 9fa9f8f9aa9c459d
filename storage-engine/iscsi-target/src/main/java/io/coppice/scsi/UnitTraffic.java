package io.coppice.scsi;

import java.util.concurrent.atomic.LongAdder;

/// How much a unit read and wrote since it became reachable. Safe for any thread; an addition costs
/// a few nanoseconds and allocates nothing.
final class UnitTraffic {

  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder blocksSent = new LongAdder();
  private final LongAdder blocksReceived = new LongAdder();
  private final LongAdder readNanos = new LongAdder();
  private final LongAdder writeNanos = new LongAdder();

  /// Counts a command that reads and begins now.
  void read(Task task, long blocks) {
    reads.increment();
    blocksSent.add(blocks);
    task.timed(readNanos);
  }

  /// Counts a command that writes and begins now.
  void written(Task task, long blocks) {
    writes.increment();
    blocksReceived.add(blocks);
    task.timed(writeNanos);
  }

  long reads() {
    return reads.sum();
  }

  long writes() {
    return writes.sum();
  }

  long blocksSent() {
    return blocksSent.sum();
  }

  long blocksReceived() {
    return blocksReceived.sum();
  }

  /// All of it, in bytes.
  Traffic counts() {
    return new Traffic(
        reads(),
        writes(),
        blocksSent() * VolumeUnit.BLOCK_SIZE,
        blocksReceived() * VolumeUnit.BLOCK_SIZE,
        readNanos.sum(),
        writeNanos.sum());
  }
}
